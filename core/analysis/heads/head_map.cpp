#include "core/analysis/heads/head_map.h"

#include "core/base/error.h"
#include "core/tensor/eigen_map.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headscope {

namespace {

void requireDistances(TensorView distances)
{
    if (distances.shape.rank() != 2 || distances.shape[0] != distances.shape[1])
        throw ShapeError("distances " + distances.shape.toString(), "head map", "Give [n, n]");
}

/// -1/2 J D^2 J: products of the points' coordinates, relative to their mean.
DoubleMatrix centredProducts(TensorView distances)
{
    DoubleMatrix squares = toEigen(distances);
    squares = squares.cwiseProduct(squares).eval();
    const Eigen::VectorXd rows = squares.rowwise().mean();
    const Eigen::RowVectorXd columns = squares.colwise().mean();
    const double all = squares.mean();
    squares.colwise() -= rows;
    squares.rowwise() -= columns;
    return -0.5 * (squares.array() + all).matrix();
}

/// One coordinate of every point; the largest is positive.
Eigen::VectorXd axis(const Eigen::VectorXd& direction, double eigenvalue)
{
    const double largest = direction.cwiseAbs().maxCoeff();
    Eigen::Index first = 0; // the first of those that equal the largest up to rounding
    while (std::abs(direction(first)) < largest * (1.0 - 1e-9))
        ++first;
    const double sign = direction(first) < 0.0 ? -1.0 : 1.0;
    return sign * std::sqrt(std::max(eigenvalue, 0.0)) * direction;
}

/// Clusters that are not merged yet, and their distances.
class Clusters
{
public:
    explicit Clusters(TensorView distances)
        : m_count(static_cast<std::size_t>(distances.shape[0]))
        , m_distances(m_count * m_count)
        , m_names(m_count)
        , m_sizes(m_count, 1)
        , m_nearest(m_count, 0)
    {
        for (std::size_t a = 0; a < m_count; ++a)
            for (std::size_t b = 0; b < m_count; ++b)
                m_distances[a * m_count + b] = static_cast<double>(distances(a, b));
        std::iota(m_names.begin(), m_names.end(), std::size_t{0});
        for (std::size_t a = 0; a < m_count; ++a)
            findNearest(a);
    }

    ClusterMerge join()
    {
        const std::size_t a = nearestPair();
        const std::size_t b = m_nearest[a];
        const ClusterMerge merge{std::min(m_names[a], m_names[b]), std::max(m_names[a], m_names[b]),
                                 distance(a, b), m_sizes[a] + m_sizes[b]};
        average(a, b);
        m_sizes[a] += m_sizes[b];
        m_sizes[b] = 0;
        m_names[a] = m_count + m_made++;
        // An average is no nearer than the nearer of the two: the nearest neighbours of others
        // remain valid.
        for (std::size_t c = 0; c < m_count; ++c)
            if (m_sizes[c] > 0 && (c == a || m_nearest[c] == a || m_nearest[c] == b))
                findNearest(c);
        return merge;
    }

private:
    double& distance(std::size_t a, std::size_t b) { return m_distances[a * m_count + b]; }

    /// Finds the nearest other cluster.
    void findNearest(std::size_t a)
    {
        m_nearest[a] = a;
        for (std::size_t b = 0; b < m_count; ++b)
            if (b != a && m_sizes[b] > 0 && (m_nearest[a] == a || isBefore(a, b, m_nearest[a])))
                m_nearest[a] = b;
    }

    bool isBefore(std::size_t a, std::size_t b, std::size_t other)
    {
        const double near = distance(a, b);
        const double far = distance(a, other);
        return near != far ? near < far : m_names[b] < m_names[other];
    }

    std::size_t nearestPair()
    {
        std::size_t best = m_count;
        for (std::size_t a = 0; a < m_count; ++a) {
            if (m_sizes[a] == 0 || m_nearest[a] == a)
                continue;
            if (best == m_count || isNearer(a, best))
                best = a;
        }
        return best;
    }

    bool isNearer(std::size_t a, std::size_t b)
    {
        const double ofA = distance(a, m_nearest[a]);
        const double ofB = distance(b, m_nearest[b]);
        return ofA != ofB ? ofA < ofB : m_names[a] < m_names[b];
    }

    /// Distances of the cluster merged from a and b (Lance, Williams 1967).
    void average(std::size_t a, std::size_t b)
    {
        const auto sizeA = static_cast<double>(m_sizes[a]);
        const auto sizeB = static_cast<double>(m_sizes[b]);
        for (std::size_t c = 0; c < m_count; ++c) {
            if (c == a || c == b || m_sizes[c] == 0)
                continue;
            distance(a, c) = (sizeA * distance(a, c) + sizeB * distance(b, c)) / (sizeA + sizeB);
            distance(c, a) = distance(a, c);
        }
    }

    std::size_t m_count;
    std::vector<double> m_distances;
    std::vector<std::size_t> m_names; ///< Number of the cluster in each slot.
    std::vector<std::size_t> m_sizes; ///< Number of points; 0: merged into another.
    std::vector<std::size_t> m_nearest;
    std::size_t m_made = 0;
};

} // namespace

PlaneMap planeMap(TensorView distances)
{
    requireDistances(distances);
    const Eigen::Index count = distances.shape[0];
    PlaneMap map;
    map.points.resize(static_cast<std::size_t>(count));
    map.kept = std::numeric_limits<double>::quiet_NaN();
    if (count == 0)
        return map;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(centredProducts(distances));
    if (solver.info() != Eigen::Success)
        throw Error("the distances are not finite", "head map");
    const Eigen::VectorXd& values = solver.eigenvalues(); // ascending
    for (Eigen::Index i = 0; i < std::min<Eigen::Index>(count, 2); ++i) {
        const Eigen::Index index = count - 1 - i;
        const Eigen::VectorXd coordinates = axis(solver.eigenvectors().col(index), values(index));
        for (Eigen::Index point = 0; point < count; ++point)
            map.points[static_cast<std::size_t>(point)][static_cast<std::size_t>(i)] =
                coordinates(point);
    }
    const double positive = values.cwiseMax(0.0).sum();
    if (positive > 0.0)
        map.kept = values.tail(std::min<Eigen::Index>(count, 2)).cwiseMax(0.0).sum() / positive;
    return map;
}

std::vector<ClusterMerge> joinNearest(TensorView distances)
{
    requireDistances(distances);
    Clusters clusters(distances);
    std::vector<ClusterMerge> merges;
    for (std::int64_t step = 1; step < distances.shape[0]; ++step)
        merges.push_back(clusters.join());
    return merges;
}

std::vector<std::size_t> clustersOf(const std::vector<ClusterMerge>& merges, std::size_t count)
{
    const std::size_t points = merges.size() + 1;
    const std::size_t steps = points - std::clamp<std::size_t>(count, 1, points);
    std::vector<std::size_t> cluster(points + steps);
    std::iota(cluster.begin(), cluster.end(), std::size_t{0});
    for (std::size_t step = steps; step-- > 0;) { // later clusters first: they pass on their own
        cluster[merges[step].first] = cluster[points + step];
        cluster[merges[step].second] = cluster[points + step];
    }
    cluster.resize(points);
    std::vector<std::size_t> seen;
    for (std::size_t& name : cluster) {
        const auto found = std::find(seen.begin(), seen.end(), name);
        if (found == seen.end())
            seen.push_back(name);
        name = static_cast<std::size_t>(std::find(seen.begin(), seen.end(), name) - seen.begin());
    }
    return cluster;
}

} // namespace headscope
