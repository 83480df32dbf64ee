#include "core/cluster/mpi_group.h"

#include "core/base/error.h"

#include <cstdlib>
#include <string_view>

#ifdef HEADSCOPE_MPI
#include <climits>
#include <cstdio>
#include <fmt/format.h>
#include <mpi.h>
#endif

namespace headscope {

namespace {

/// Detects the mpirun of Open MPI or MPICH, without calling either.
bool isOneOfSeveral()
{
    for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
        const char* const size = std::getenv(name);
        if (size != nullptr && std::string_view(size) != "1")
            return true;
    }
    return false;
}

#ifdef HEADSCOPE_MPI

void check(int status, const char* call)
{
    if (status == MPI_SUCCESS)
        return;
    char words[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(status, words, &length);
    throw Error(fmt::format("the connection between the processes failed: {}", words), call,
                "Check the messages of mpirun, then resume the run");
}

class MpiGroup final : public Communicator
{
public:
    MpiGroup()
    {
        int level = 0;
        check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level), "MPI_Init_thread");
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Comm_rank(MPI_COMM_WORLD, &m_rank);
        MPI_Comm_size(MPI_COMM_WORLD, &m_size);
    }

    ~MpiGroup() override { MPI_Finalize(); }

    MpiGroup(const MpiGroup&) = delete;
    MpiGroup& operator=(const MpiGroup&) = delete;

    std::int64_t rank() const override { return m_rank; }

    std::int64_t size() const override { return m_size; }

    void broadcast(std::span<std::byte> bytes) override
    {
        inPieces(bytes, [](std::span<std::byte> piece) {
            check(MPI_Bcast(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, 0,
                            MPI_COMM_WORLD),
                  "MPI_Bcast");
        });
    }

    void sumToFirst(std::span<float> values) override { reduce(values, MPI_FLOAT); }

    void sumToFirst(std::span<double> values) override { reduce(values, MPI_DOUBLE); }

    void passRound(std::span<float> block) override
    {
        const int next = (m_rank + 1) % m_size;
        const int previous = (m_rank + m_size - 1) % m_size;
        inPieces(block, [=](std::span<float> piece) {
            check(MPI_Sendrecv_replace(piece.data(), static_cast<int>(piece.size()), MPI_FLOAT,
                                       next, 0, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
                  "MPI_Sendrecv_replace");
        });
    }

    [[noreturn]] void abort(const std::string& why) override
    {
        std::fprintf(stderr, "headscope: error: %s (process %d of %d)\n", why.c_str(), m_rank,
                     m_size);
        MPI_Abort(MPI_COMM_WORLD, 1);
        std::_Exit(1);
    }

private:
    /// MPI counts with int.
    template<class Value, class Call>
    static void inPieces(std::span<Value> values, Call call)
    {
        constexpr std::size_t most = INT_MAX / 8;
        for (; values.size() > most; values = values.subspan(most))
            call(values.first(most));
        if (!values.empty())
            call(values);
    }

    template<class Value>
    void reduce(std::span<Value> values, MPI_Datatype type)
    {
        inPieces(values, [this, type](std::span<Value> piece) {
            const void* const from = m_rank == 0 ? MPI_IN_PLACE : piece.data();
            check(MPI_Reduce(from, piece.data(), static_cast<int>(piece.size()), type, MPI_SUM, 0,
                             MPI_COMM_WORLD),
                  "MPI_Reduce");
        });
    }

    int m_rank = 0;
    int m_size = 1;
};

#endif

} // namespace

#ifdef HEADSCOPE_MPI

std::unique_ptr<Communicator> joinMpiGroup()
{
    return isOneOfSeveral() ? std::make_unique<MpiGroup>() : nullptr;
}

#else

std::unique_ptr<Communicator> joinMpiGroup()
{
    if (isOneOfSeveral())
        throw Error("this build of headscope cannot distribute work over several processes",
                    "mpirun", "Build it with -DHEADSCOPE_MPI=ON, or start one process");
    return nullptr;
}

#endif

} // namespace headscope
