<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>ChatCommand</name>
    <message>
        <source>typing in the chat</source>
        <translation>在对话中输入</translation>
    </message>
    <message>
        <source>reply of the model</source>
        <translation>模型的回复</translation>
    </message>
</context>
<context>
    <name>ColourBar</name>
    <message>
        <source>%1, scaled to this head, %2 to %3</source>
        <translation>%1，按此头缩放，%2 到 %3</translation>
    </message>
    <message>
        <source>%1, fixed scale %2 to %3</source>
        <translation>%1，固定刻度 %2 到 %3</translation>
    </message>
</context>
<context>
    <name>Figure</name>
    <message>
        <source>, %1: %2</source>
        <translation>，%1：%2</translation>
    </message>
</context>
<context>
    <name>Heads</name>
    <message>
        <source>Copying earlier tokens</source>
        <translation>复制之前的内容</translation>
    </message>
    <message>
        <source>Where it attends</source>
        <translation>关注何处</translation>
    </message>
    <message>
        <source>How attention spreads</source>
        <translation>注意力如何分散</translation>
    </message>
    <message>
        <source>Weights alone</source>
        <translation>仅看权重</translation>
    </message>
    <message>
        <source>Entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>Spread of attention: -sum A ln A of each row, mean over the rows.</source>
        <translation>注意力的分散程度：每行的 -sum A ln A，对各行取平均。</translation>
    </message>
    <message>
        <source>Entropy, normalised</source>
        <translation>熵，归一化</translation>
    </message>
    <message>
        <source>Uniformity of attention: 0 on a single token, 1 uniform.</source>
        <translation>注意力的均匀程度：0 表示集中于单个词元，1 表示均匀。</translation>
    </message>
    <message>
        <source>Previous token</source>
        <translation>前一词元</translation>
    </message>
    <message>
        <source>Weight on the previous token, mean over the text.</source>
        <translation>前一词元上的权重，对全文取平均。</translation>
    </message>
    <message>
        <source>Previous token, of all</source>
        <translation>前一词元，占全部</translation>
    </message>
    <message>
        <source>Fraction of all attention on the previous token.</source>
        <translation>全部注意力中落在前一词元上的比例。</translation>
    </message>
    <message>
        <source>Itself</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>Weight of each token on itself, mean over the text.</source>
        <translation>每个词元对自身的权重，对全文取平均。</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>首词元</translation>
    </message>
    <message>
        <source>Weight on the first token, mean over the later ones.</source>
        <translation>首词元上的权重，对其后的词元取平均。</translation>
    </message>
    <message>
        <source>Sink</source>
        <translation>注意力汇</translation>
    </message>
    <message>
        <source>Weight on the first token, mean over all tokens: a sink above 0.3.</source>
        <translation>首词元上的权重，对所有词元取平均：大于 0.3 即为注意力汇。</translation>
    </message>
    <message>
        <source>Duplicate, of all</source>
        <translation>重复，占全部</translation>
    </message>
    <message>
        <source>Fraction of all attention on earlier copies of the query token.</source>
        <translation>全部注意力中落在查询词元先前副本上的比例。</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>Weight on the earlier copy, mean over the second round of random tokens.</source>
        <translation>先前副本上的权重，对第二轮随机词元取平均。</translation>
    </message>
    <message>
        <source>Induction</source>
        <translation>归纳</translation>
    </message>
    <message>
        <source>Weight on the token after the earlier copy, mean over the second round of random tokens.</source>
        <translation>先前副本后一个词元上的权重，对第二轮随机词元取平均。</translation>
    </message>
    <message>
        <source>Induction, of all</source>
        <translation>归纳，占全部</translation>
    </message>
    <message>
        <source>Fraction of all attention on tokens after an earlier copy.</source>
        <translation>全部注意力中落在先前副本后一个词元上的比例。</translation>
    </message>
    <message>
        <source>Induction, match</source>
        <translation>归纳，匹配</translation>
    </message>
    <message>
        <source>Similarity of the pattern to that of an ideal induction head: 1 - n mean|A - P|.</source>
        <translation>注意力模式与理想归纳头的模式的相似度：1 - n mean|A - P|。</translation>
    </message>
    <message>
        <source>Induction on text</source>
        <translation>文本上的归纳</translation>
    </message>
    <message>
        <source>Weight on tokens after earlier copies, per token that has a copy; several may add up.</source>
        <translation>先前副本后一个词元上的权重，对每个有副本的词元计算；有多个副本时可相加。</translation>
    </message>
    <message>
        <source>Prefix matching</source>
        <translation>前缀匹配</translation>
    </message>
    <message>
        <source>Weight on the tokens that followed earlier copies, on 25 random tokens repeated four times.</source>
        <translation>先前副本后面的词元上的权重，在 25 个随机词元重复四遍的文本上测得。</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>Mean distance between query and key, in tokens.</source>
        <translation>查询与键之间的平均距离，以词元计。</translation>
    </message>
    <message>
        <source>Distance, variance</source>
        <translation>距离，方差</translation>
    </message>
    <message>
        <source>Variance of the distance between query and key.</source>
        <translation>查询与键之间距离的方差。</translation>
    </message>
    <message>
        <source>Variability</source>
        <translation>变异性</translation>
    </message>
    <message>
        <source>Change of the pattern from text to text: 0 by position alone, 1 by content alone.</source>
        <translation>注意力模式随文本的变化：0 表示只取决于位置，1 表示只取决于内容。</translation>
    </message>
    <message>
        <source>Copying (OV)</source>
        <translation>复制（OV）</translation>
    </message>
    <message>
        <source>From the weights alone: 1 if attending to a token makes the same token more likely.</source>
        <translation>仅由权重得出：若关注一个词元会使同一词元更可能出现，则为 1。</translation>
    </message>
    <message>
        <source>previous token</source>
        <translation>前一词元</translation>
    </message>
    <message>
        <source>Attends to the previous token, whatever it is.</source>
        <translation>关注前一个词元，不论它是什么。</translation>
    </message>
    <message>
        <source>%1 of its weight goes to the previous token; uniform attention gives %2.</source>
        <translation>它有 %1 的权重落在前一个词元上；均匀注意力为 %2。</translation>
    </message>
    <message>
        <source>induction</source>
        <translation>归纳</translation>
    </message>
    <message>
        <source>Finds an earlier copy of the token and attends to the token after it.</source>
        <translation>找到该词元先前的副本，并关注其后的词元。</translation>
    </message>
    <message>
        <source>%1 of its weight goes to the token after the copy; uniform attention gives %2.</source>
        <translation>它有 %1 的权重落在副本后面的词元上；均匀注意力为 %2。</translation>
    </message>
    <message>
        <source>duplicate token</source>
        <translation>重复词元</translation>
    </message>
    <message>
        <source>Attends to earlier copies of the same token.</source>
        <translation>关注同一词元先前的副本。</translation>
    </message>
    <message>
        <source>%1 of its weight goes to the copy; uniform attention gives %2.</source>
        <translation>它有 %1 的权重落在副本上；均匀注意力为 %2。</translation>
    </message>
    <message>
        <source>first-token sink</source>
        <translation>首词元注意力汇</translation>
    </message>
    <message>
        <source>Puts its weight on the first token, where it has little effect.</source>
        <translation>把权重放在几乎不起作用的首词元上。</translation>
    </message>
    <message>
        <source>%1 of its weight is on the first token; uniform attention gives it %2.</source>
        <translation>它有 %1 的权重在首词元上；均匀注意力为 %2。</translation>
    </message>
    <message>
        <source>positional</source>
        <translation>位置型</translation>
    </message>
    <message>
        <source>Attends to the same positions whatever the words are.</source>
        <translation>不论是什么词，都关注相同的位置。</translation>
    </message>
    <message>
        <source>%1 of its pattern changes with the text; half of all heads change more than %2.</source>
        <translation>其注意力模式有 %1 随文本变化；半数的头变化超过 %2。</translation>
    </message>
    <message>
        <source>broad</source>
        <translation>宽泛</translation>
    </message>
    <message>
        <source>Attends to nearly all tokens, nearly uniformly.</source>
        <translation>几乎均匀地关注几乎所有词元。</translation>
    </message>
    <message>
        <source>%1 of the largest possible entropy; uniform attention has %2.</source>
        <translation>达到最大可能熵的 %1；均匀注意力为 %2。</translation>
    </message>
    <message>
        <source>syntax-like</source>
        <translation>类句法</translation>
    </message>
    <message>
        <source>Attends from a verb to its subject, past other nouns.</source>
        <translation>从动词关注其主语，越过其他名词。</translation>
    </message>
    <message>
        <source>%1 from verb to subject; at equal distance elsewhere it gives %2.</source>
        <translation>从动词到主语为 %1；在别处的相同距离上为 %2。</translation>
    </message>
    <message>
        <source>coreference-like</source>
        <translation>类共指</translation>
    </message>
    <message>
        <source>Attends from a pronoun to the noun it refers to.</source>
        <translation>从代词关注它所指的名词。</translation>
    </message>
    <message>
        <source>%1 from pronoun to its noun; at equal distance elsewhere it gives %2.</source>
        <translation>从代词到其名词为 %1；在别处的相同距离上为 %2。</translation>
    </message>
    <message>
        <source>copying (OV)</source>
        <translation>复制（OV）</translation>
    </message>
    <message>
        <source>Makes the tokens it attends to more likely to come next, by its weights alone.</source>
        <translation>仅凭其权重，就使它关注的词元更可能接着出现。</translation>
    </message>
    <message>
        <source>Copying score %1 of its weights; the median head has %2.</source>
        <translation>其权重的复制得分为 %1；各头的中位数为 %2。</translation>
    </message>
    <message>
        <source>Retrieval</source>
        <translation>检索</translation>
    </message>
    <message>
        <source>Fraction of the tokens of the longest repeated span that the head attends to most where the text copies them.</source>
        <translation>最长的重复片段中，在文本复制它们之处此头关注最多的词元所占的比例。</translation>
    </message>
</context>
<context>
    <name>Heatmap</name>
    <message>
        <source>hidden: too little of this row remains</source>
        <translation>已隐藏：此行剩余太少</translation>
    </message>
    <message>
        <source>hidden by the mask</source>
        <translation>被掩码隐藏</translation>
    </message>
    <message>
        <source>; largest in its row</source>
        <translation>；所在行最大</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>sink</source>
        <translation>汇点</translation>
    </message>
    <message>
        <source>attention sink</source>
        <translation>注意力汇点</translation>
    </message>
    <message>
        <source>not defined: the weights of this row were replaced</source>
        <translation>无定义：此行的权重已被替换</translation>
    </message>
</context>
<context>
    <name>LessonDraft</name>
    <message>
        <source>My lesson</source>
        <translation>我的课</translation>
    </message>
</context>
<context>
    <name>ModelFacts</name>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>heads</source>
        <translation>头</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>generation</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>精度</translation>
    </message>
</context>
<context>
    <name>Pages</name>
    <message>
        <source>Explore</source>
        <translation>探索</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>学习</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>观察</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>改变</translation>
    </message>
    <message>
        <source>Inside</source>
        <translation>内部</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>训练运行</translation>
    </message>
</context>
<context>
    <name>Positions</name>
    <message>
        <source>dims %1, %2</source>
        <translation>维度 %1, %2</translation>
    </message>
</context>
<context>
    <name>QDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Move the cell in a map</source>
        <translation>在图中移动单元格</translation>
    </message>
    <message>
        <source>arrows</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Choose query and key in the tokens</source>
        <translation>在词元行中选择查询和键</translation>
    </message>
    <message>
        <source>arrows, Shift+arrows</source>
        <translation>方向键，Shift+方向键</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Leave the sentence, unpin</source>
        <translation>离开句子，取消固定</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>QMessageBox</name>
    <message>
        <source>About Headscope</source>
        <translation>关于 Headscope</translation>
    </message>
    <message>
        <source>Headscope %1</source>
        <translation>Headscope %1</translation>
    </message>
    <message>
        <source>Type a sentence and watch transformer attention live.

Free software under the GNU General Public License, version 3 or later. It comes without warranty.</source>
        <translation>输入一个句子，实时观察 Transformer 的注意力。

自由软件，采用 GNU 通用公共许可证第 3 版或更高版本。不提供任何担保。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>TextCommand</name>
    <message>
        <source>typing</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>replace sentence</source>
        <translation>替换句子</translation>
    </message>
    <message>
        <source>typing in the target</source>
        <translation>输入目标</translation>
    </message>
</context>
<context>
    <name>Theme</name>
    <message>
        <source>not a number</source>
        <translation>不是数</translation>
    </message>
</context>
<context>
    <name>WhatsThis</name>
    <message>
        <source>Text that the model reads. Attention updates as you type. Press Esc to move to the page.</source>
        <translation>模型读取的文本。注意力随输入更新。按 Esc 转到页面。</translation>
    </message>
    <message>
        <source>Target of an encoder-decoder. Its tokens are the queries of decoder self-attention and cross-attention.</source>
        <translation>编码器-解码器的目标。其词元是解码器自注意力和交叉注意力的查询。</translation>
    </message>
    <message>
        <source>The open model and its size. Click to choose another.</source>
        <translation>打开的模型及其大小。点击可选择另一个。</translation>
    </message>
    <message>
        <source>Filled: up to date. Ring: computing.</source>
        <translation>实心：最新。圆环：计算中。</translation>
    </message>
    <message>
        <source>Tokens of the text. Click one to make it the query, Shift-click to make it the key. Double-click or F2 to edit.</source>
        <translation>文本的词元。单击设为查询，按住 Shift 单击设为键。双击或按 F2 编辑。</translation>
    </message>
    <message>
        <source>The three workspaces (Ctrl+1 to Ctrl+3) and, below them, the pages of the current one. Alt+1 to Alt+9 open its first nine pages; Ctrl+Tab returns to the previous page.</source>
        <translation>三个工作区（Ctrl+1 到 Ctrl+3），下面是当前工作区的页面。Alt+1 到 Alt+9 打开其前九个页面；Ctrl+Tab 返回上一个页面。</translation>
    </message>
    <message>
        <source>Numbers for the selected head and token pair: the attention weight, how it is computed, and the next token. F6 shows or hides the inspector.</source>
        <translation>所选的头和词元对的数值：注意力权重、其计算过程以及下一个词元。F6 显示或隐藏检查器。</translation>
    </message>
    <message>
        <source>Type a few letters to find any command, page, head, token or model.</source>
        <translation>输入几个字母即可找到任何命令、页面、头、词元或模型。</translation>
    </message>
    <message>
        <source>Device, forward-pass time, painting time, and the keys of this page.</source>
        <translation>设备、前向传播时间、绘制时间，以及本页的按键。</translation>
    </message>
    <message>
        <source>Latest error or warning, and what to do about it.</source>
        <translation>最近的错误或警告，以及如何处理。</translation>
    </message>
    <message>
        <source>Current step of the lesson. Next and Back move between steps; underlined terms link to the lessons that explain them.</source>
        <translation>这一课的当前步骤。“下一步”和“上一步”在步骤间移动；带下划线的术语链接到讲解它们的课。</translation>
    </message>
    <message>
        <source>Progress of loading the model. Cancel, or Esc, keeps the current model.</source>
        <translation>加载模型的进度。“取消”或 Esc 保留当前模型。</translation>
    </message>
    <message>
        <source>Merge tokens into words, hide special tokens or the first one, or show ids and bytes. This changes the display only, not the computation.</source>
        <translation>把词元合并为词，隐藏特殊词元或首词元，或显示编号和字节。这只改变显示，不改变计算。</translation>
    </message>
    <message>
        <source>Reads a chat in turns, through the chat template of an instruct model, in place of the sentence.</source>
        <translation>通过指令模型的对话模板，按轮次读取对话，代替句子。</translation>
    </message>
    <message>
        <source>Turns of the chat that the model reads. Attention updates as you type. The token strip names the turn of each token; muted tokens are the chat template&apos;s.</source>
        <translation>模型读取的对话轮次。输入时注意力随之更新。词元条标出每个词元所属的轮次；颜色变淡的词元由对话模板写出。</translation>
    </message>
</context>
<context>
    <name>headscope::ui</name>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Sentence</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Causal tests</source>
        <translation>因果检验</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>mean-ablated</source>
        <translation>均值消融</translation>
    </message>
    <message>
        <source>ablated</source>
        <translation>消融</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>Row %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>Weight %1 → %2</source>
        <translation>权重 %1 → %2</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1，%2 中</translation>
    </message>
    <message>
        <source>Token %1</source>
        <translation>词元 %1</translation>
    </message>
    <message>
        <source>embedding of id %1</source>
        <translation>编号 %1 的嵌入</translation>
    </message>
    <message>
        <source>Patch</source>
        <translation>激活修补</translation>
    </message>
    <message>
        <source>%1, token %2 of A to %3 of B</source>
        <translation>%1，A 的词元 %2 到 B 的词元 %3</translation>
    </message>
    <message>
        <source>all heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>Frozen</source>
        <translation>冻结</translation>
    </message>
    <message>
        <source>%1 as on %2</source>
        <translation>%1，如 %2</translation>
    </message>
    <message>
        <source>cross </source>
        <translation>交叉 </translation>
    </message>
    <message>
        <source>encoder </source>
        <translation>编码器 </translation>
    </message>
    <message>
        <source>decoder </source>
        <translation>解码器 </translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>Encoder layer %1</source>
        <translation>编码器层 %1</translation>
    </message>
    <message>
        <source>Decoder layer %1</source>
        <translation>解码器层 %1</translation>
    </message>
    <message>
        <source>Cross layer %1</source>
        <translation>交叉层 %1</translation>
    </message>
    <message>
        <source>Layer %1</source>
        <translation>层 %1</translation>
    </message>
    <message>
        <source>▲ more in B</source>
        <translation>▲ B 中更多</translation>
    </message>
    <message>
        <source>▼ less in B</source>
        <translation>▼ B 中更少</translation>
    </message>
    <message>
        <source>Change of attention (B−A) of %1, heads %2, from queries (left) to keys (right).</source>
        <translation>%1 中头 %2 的注意力变化（B−A），从查询（左）到键（右）。</translation>
    </message>
    <message>
        <source>Attention of %1, heads %2, from queries (left) to keys (right).</source>
        <translation>%1 中头 %2 的注意力，从查询（左）到键（右）。</translation>
    </message>
    <message>
        <source>Each row shows the fewest links that cover %1 of it; %2. Opacity grows with the weight, from 0.10 at 0 to 0.65 at 1.</source>
        <translation>每行显示覆盖其 %1 的最少连线；%2。不透明度随权重增加，0 时为 0.10，1 时为 0.65。</translation>
    </message>
    <message>
        <source>Thick: links of “%1”; bars: all its changes, scale −1 to +1.</source>
        <translation>粗线：“%1”的连线；条形：其全部变化，刻度 −1 到 +1。</translation>
    </message>
    <message>
        <source>Thick: links of “%1”; bars: all its weights, scale 0 to 1.</source>
        <translation>粗线：“%1”的连线；条形：其全部权重，刻度 0 到 1。</translation>
    </message>
    <message>
        <source>links</source>
        <translation>连线</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>bars</source>
        <translation>条形</translation>
    </message>
    <message>
        <source>%1 · Heads %2</source>
        <translation>%1 · 头 %2</translation>
    </message>
    <message>
        <source>hidden by the causal mask</source>
        <translation>被因果掩码隐藏</translation>
    </message>
    <message>
        <source>outside the causal window</source>
        <translation>在因果窗口之外</translation>
    </message>
    <message>
        <source>hidden by the mask</source>
        <translation>被掩码隐藏</translation>
    </message>
    <message>
        <source>Attention weight</source>
        <translation>注意力权重</translation>
    </message>
    <message>
        <source>Score before softmax</source>
        <translation>softmax 之前的得分</translation>
    </message>
    <message>
        <source>Weight times length of the value vector</source>
        <translation>权重乘以值的长度</translation>
    </message>
    <message>
        <source>Which keys (columns) each query (row) can attend to: %1; %2.</source>
        <translation>每个查询（行）可以关注哪些键（列）：%1；%2。</translation>
    </message>
    <message>
        <source>visible</source>
        <translation>可见</translation>
    </message>
    <message>
        <source>every token attends to every token</source>
        <translation>每个词元关注所有词元</translation>
    </message>
    <message>
        <source>each token attends to itself and to earlier tokens</source>
        <translation>每个词元关注自身和前面的词元</translation>
    </message>
    <message>
        <source>each token attends to %1 tokens: itself and the ones before</source>
        <translation>每个词元关注 %1 个词元：自身和之前的</translation>
    </message>
    <message>
        <source>custom cells</source>
        <translation>自选单元格</translation>
    </message>
    <message>
        <source>%1 of %2 pairs visible</source>
        <translation>%2 对中有 %1 对可见</translation>
    </message>
    <message>
        <source>An offset is a rotation</source>
        <translation>平移就是旋转</translation>
    </message>
    <message>
        <source>largest error of the rotation %1</source>
        <translation>旋转的最大误差 %1</translation>
    </message>
    <message>
        <source>The learned position embeddings, and their similarity to position %1 (dot product).</source>
        <translation>可学习的位置嵌入，以及与位置 %1 的相似度（点积）。</translation>
    </message>
    <message>
        <source>Without position encoding all positions look the same.</source>
        <translation>没有位置编码，所有位置都一样。</translation>
    </message>
    <message>
        <source>Encoder layer %1 · Head %2</source>
        <translation>编码器层 %1 · 头 %2</translation>
    </message>
    <message>
        <source>Decoder layer %1 · Head %2</source>
        <translation>解码器层 %1 · 头 %2</translation>
    </message>
    <message>
        <source>Cross layer %1 · Head %2</source>
        <translation>交叉层 %1 · 头 %2</translation>
    </message>
    <message>
        <source>Layer %1 · Head %2</source>
        <translation>层 %1 · 头 %2</translation>
    </message>
    <message>
        <source>head %1: nothing</source>
        <translation>头 %1：无</translation>
    </message>
    <message>
        <source>head %1: %2, %3, %4</source>
        <translation>头 %1：%2，%3，%4</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>query %1, %2, key %3, %4: %5</source>
        <translation>查询 %1，%2，键 %3，%4：%5</translation>
    </message>
    <message>
        <source>from %1 %2</source>
        <translation>来自 %1 %2</translation>
    </message>
    <message>
        <source>and %1 weaker</source>
        <translation>以及 %1 条更弱的</translation>
    </message>
    <message>
        <source>no drawn edge leads to it</source>
        <translation>没有画出进入它的边</translation>
    </message>
    <message>
        <source>%1 of %2 links shown · %3 of the visible attention</source>
        <translation>显示 %2 条连线中的 %1 条 · 可见注意力的 %3</translation>
    </message>
    <message>
        <source> · at most %1 per row and head above %2 tokens</source>
        <translation> · 超过 %2 个词元时，每行每头至多 %1 条</translation>
    </message>
    <message>
        <source>query %1, %2</source>
        <translation>查询 %1，%2</translation>
    </message>
    <message>
        <source>key %1, %2</source>
        <translation>键 %1，%2</translation>
    </message>
    <message>
        <source>change from </source>
        <translation>变化，从 </translation>
    </message>
    <message>
        <source>change to </source>
        <translation>变化，到 </translation>
    </message>
    <message>
        <source>weight from </source>
        <translation>权重，从 </translation>
    </message>
    <message>
        <source>weight to </source>
        <translation>权重，到 </translation>
    </message>
    <message>
        <source>, scale 0 to 1</source>
        <translation>，刻度 0 到 1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>token %1  %2</source>
        <translation>词元 %1  %2</translation>
    </message>
    <message>
        <source>layer %1 head %2</source>
        <translation>层 %1 头 %2</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 of %2 tokens</source>
        <translation>%1 / %2 个词元</translation>
    </message>
    <message>
        <source>1 token</source>
        <translation>1 个词元</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>opening the model</source>
        <translation>正在打开模型</translation>
    </message>
    <message>
        <source>no model</source>
        <translation>没有模型</translation>
    </message>
    <message>
        <source>computing</source>
        <translation>计算中</translation>
    </message>
    <message>
        <source>first result</source>
        <translation>首个结果</translation>
    </message>
    <message>
        <source>no text</source>
        <translation>没有文本</translation>
    </message>
    <message>
        <source>counting tokens</source>
        <translation>正在统计词元</translation>
    </message>
    <message>
        <source>live · A and B</source>
        <translation>实时 · A 和 B</translation>
    </message>
    <message>
        <source>live · %1</source>
        <translation>实时 · %1</translation>
    </message>
    <message>
        <source>forward A %1, B %2</source>
        <translation>前向传播 A %1，B %2</translation>
    </message>
    <message>
        <source>1 new token</source>
        <translation>1 个新词元</translation>
    </message>
    <message>
        <source>%1 new tokens</source>
        <translation>%1 个新词元</translation>
    </message>
    <message>
        <source>forward %1, %2</source>
        <translation>前向传播 %1，%2</translation>
    </message>
    <message>
        <source>Not enough memory. Use a shorter text or a smaller model.</source>
        <translation>内存不足。请使用更短的文本或更小的模型。</translation>
    </message>
    <message>
        <source>B−A: difference</source>
        <translation>B−A：差异</translation>
    </message>
    <message>
        <source>Sinusoidal position encodings of %1 dimensions with base %2 on the fixed scale −1 to 1, and their similarity to position %3 (dot product).</source>
        <translation>%1 维、底数 %2 的正弦位置编码，固定刻度 −1 到 1，以及与位置 %3 的相似度（点积）。</translation>
    </message>
    <message>
        <source>, −1 to +1</source>
        <translation>，−1 到 +1</translation>
    </message>
    <message>
        <source>Embeddings</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Feed-forward</source>
        <translation>前馈网络</translation>
    </message>
    <message>
        <source>Norms</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Data flow of the model with the output shape and parameter count of each part; %1 in all. The grey line is the residual stream.</source>
        <translation>模型的数据流，以及每个部分的输出形状和参数量；共 %1。灰线是残差流。</translation>
    </message>
    <message>
        <source>All parameters</source>
        <translation>全部参数</translation>
    </message>
    <message>
        <source>✓  matches the model&apos;s own count</source>
        <translation>✓  与模型自身的计数一致</translation>
    </message>
    <message>
        <source>✗  the model reports %1</source>
        <translation>✗  模型报告 %1</translation>
    </message>
    <message>
        <source>Grey line: the residual stream. Dashed boxes have no weights.</source>
        <translation>灰线：残差流。虚线框没有权重。</translation>
    </message>
    <message>
        <source>outputs %1</source>
        <translation>输出 %1</translation>
    </message>
    <message>
        <source>no parameters</source>
        <translation>无参数</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 个参数</translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>divergence</source>
        <translation>差异度</translation>
    </message>
    <message>
        <source>A and B, layer by layer</source>
        <translation>A 和 B，逐层</translation>
    </message>
    <message>
        <source>Top-1 next token at each position after each layer (logit lens: final norm and unembedding of the residual stream), shaded by its probability, 0 to 1. Dot: top-1 token differs from the other variant. Outline: what a patch can reach.</source>
        <translation>每层之后每个位置的 top-1 下一词元（logit 透镜：对残差流做最终归一化和反嵌入），按其概率 0 到 1 着色。圆点：top-1 词元与另一变体不同。轮廓：修补可影响的范围。</translation>
    </message>
    <message>
        <source>mean over the %1 heads of layer %2</source>
        <translation>对层 %2 的 %1 个头取平均</translation>
    </message>
    <message>
        <source>mean over all %1 layers and %2 heads</source>
        <translation>对所有 %1 层和 %2 个头取平均</translation>
    </message>
    <message>
        <source>A and B have different numbers of tokens, layers or heads, so B−A is not defined. View A or B alone.</source>
        <translation>A 和 B 的词元数、层数或头数不同，因此 B−A 无定义。请单独查看 A 或 B。</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Weight in B minus weight in A, −1 to +1</source>
        <translation>B 的权重减 A 的权重，−1 到 +1</translation>
    </message>
    <message>
        <source>Attention weight, fixed scale 0 to 1</source>
        <translation>注意力权重，固定刻度 0 到 1</translation>
    </message>
    <message>
        <source>Writing “%1”, the weight on “%2” (position %3) changes most: %4</source>
        <translation>写“%1”时，“%2”（位置 %3）上的权重变化最大：%4</translation>
    </message>
    <message>
        <source>Alignment of source and target</source>
        <translation>源与目标的对齐</translation>
    </message>
    <message>
        <source>Cross-attention, %1: how strongly each target token looks at each source token while the next one is written. %2. %3.</source>
        <translation>交叉注意力，%1：写出下一个词元时，每个目标词元对各源词元的关注强度。%2。%3。</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>层 %1</translation>
    </message>
    <message>
        <source>Queries and keys are tokens of two texts here: they have no distance.</source>
        <translation>这里查询和键是两个文本的词元：它们之间没有距离。</translation>
    </message>
    <message>
        <source>A and B have different tokens, so they cannot be subtracted.</source>
        <translation>A 和 B 的词元不同，不能相减。</translation>
    </message>
    <message>
        <source>There is no head to look at.</source>
        <translation>没有可查看的头。</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>词</translation>
    </message>
    <message>
        <source>%1, scaled to this text, ±%2</source>
        <translation>%1，按此文本缩放，±%2</translation>
    </message>
    <message>
        <source>%1, scaled to this text, 0 to %2</source>
        <translation>%1，按此文本缩放，0 到 %2</translation>
    </message>
    <message>
        <source>Change of the mean attention weight by distance, B less A, for %1 heads of layer %2; mean over the queries that have a key there. Right: change of the mean distance of every head.</source>
        <translation>层 %2 的 %1 个头的平均注意力权重随距离的变化（B 减 A）；对该处有键的查询取平均。右：每个头平均距离的变化。</translation>
    </message>
    <message>
        <source>Mean attention weight by distance for %1 heads of layer %2; mean over the queries that have a key there. Right: mean distance of every head.</source>
        <translation>层 %2 的 %1 个头的平均注意力权重随距离的变化；对该处有键的查询取平均。右：每个头的平均距离。</translation>
    </message>
    <message>
        <source>%1 of %2 edges drawn, %3 % of the total weight</source>
        <translation>画出 %2 条边中的 %1 条，占总权重的 %3 %</translation>
    </message>
    <message>
        <source>%1; %2 weaker ones hidden</source>
        <translation>%1；隐藏 %2 个较弱的</translation>
    </message>
    <message>
        <source>Flow: attention rollout</source>
        <translation>注意力流：rollout</translation>
    </message>
    <message>
        <source>Flow: mean attention</source>
        <translation>注意力流：平均注意力</translation>
    </message>
    <message>
        <source>Flow: contributions</source>
        <translation>注意力流：贡献</translation>
    </message>
    <message>
        <source>half the mean attention of the heads, half the residual stream (attention rollout)</source>
        <translation>一半为各头的平均注意力，一半为残差流（注意力 rollout）</translation>
    </message>
    <message>
        <source>the mean attention of the heads</source>
        <translation>各头的平均注意力</translation>
    </message>
    <message>
        <source>the length of what a token&apos;s value vectors add to the stream, next to the residual</source>
        <translation>词元的值向量与残差一起加到残差流中的长度</translation>
    </message>
    <message>
        <source>how much each source token (or the residual) moves the stream towards its new value</source>
        <translation>每个源词元（或残差）使残差流向新值移动多少</translation>
    </message>
    <message>
        <source>Each line shows the fraction of a token&apos;s stream after a layer that comes from a token before it: %1. Width grows with the fraction, from 0 to 1. %2.</source>
        <translation>每条线是某层之后词元残差流中来自该层之前词元的比例：%1。线宽随比例从 0 到 1 增加。%2。</translation>
    </message>
    <message>
        <source>Only paths into “%1” (%2) are shown.</source>
        <translation>只显示通向“%1”（%2）的路径。</translation>
    </message>
    <message>
        <source>Orange: more in B; violet: less.</source>
        <translation>橙色：B 中更多；紫色：更少。</translation>
    </message>
    <message>
        <source>Weaker edges are removed and the others renormalised.</source>
        <translation>去掉较弱的边，其余重新归一化。</translation>
    </message>
    <message>
        <source>Contributions need the model&apos;s weights, and a trace has none. Open the model.</source>
        <translation>贡献需要模型的权重，而追踪没有权重。请打开模型。</translation>
    </message>
    <message>
        <source>Each row is one query, each column one key. %1.</source>
        <translation>每行一个查询，每列一个键。%1。</translation>
    </message>
    <message>
        <source> Right of the rows their sums; below the columns the total weight that each key receives.</source>
        <translation>行的右边是其总和，列的下方是每个键得到的总权重。</translation>
    </message>
    <message>
        <source>KV %1</source>
        <translation>KV %1</translation>
    </message>
    <message>
        <source>Heads by %1</source>
        <translation>按%1排列的头</translation>
    </message>
    <message>
        <source>%1 Measured on %2.</source>
        <translation>%1 测量于%2。</translation>
    </message>
    <message>
        <source>this text</source>
        <translation>此文本</translation>
    </message>
    <message>
        <source>B−A of the scores</source>
        <translation>得分的 B−A</translation>
    </message>
    <message>
        <source>B−A of weight times value length</source>
        <translation>权重乘以值长度的 B−A</translation>
    </message>
    <message>
        <source>score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>A and B have different tokens, so B−A is not defined.</source>
        <translation>A 和 B 的词元不同，因此 B−A 无定义。</translation>
    </message>
    <message>
        <source>− largest of the row</source>
        <translation>− 行的最大值</translation>
    </message>
    <message>
        <source>+ largest</source>
        <translation>+ 最大</translation>
    </message>
    <message>
        <source>half</source>
        <translation>一半</translation>
    </message>
    <message>
        <source>largest of its row</source>
        <translation>所在行最大</translation>
    </message>
    <message>
        <source>most negative</source>
        <translation>最负</translation>
    </message>
    <message>
        <source>least</source>
        <translation>最少</translation>
    </message>
    <message>
        <source>most positive</source>
        <translation>最正</translation>
    </message>
    <message>
        <source>smallest</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>below ±%1</source>
        <translation>低于 ±%1</translation>
    </message>
    <message>
        <source>%1, each row scaled to its own largest</source>
        <translation>%1，每行按自己的最大值缩放</translation>
    </message>
    <message>
        <source>%1, logarithmic scale of %2 decades</source>
        <translation>%1，跨 %2 个数量级的对数刻度</translation>
    </message>
    <message>
        <source>%1, rank among the %2 cells shown</source>
        <translation>%1，在显示的 %2 个单元格中的排名</translation>
    </message>
    <message>
        <source>hides %1 pairs and removes %2 of a row&apos;s weight</source>
        <translation>隐藏 %1 对，去掉一行权重的 %2</translation>
    </message>
    <message>
        <source>most from “%1”, %2</source>
        <translation>最多来自“%1”，%2</translation>
    </message>
    <message>
        <source>opens %1 pairs, which get %2 of a row in B</source>
        <translation>开放 %1 对，它们在 B 中得到一行的 %2</translation>
    </message>
    <message>
        <source>opens %1 pairs</source>
        <translation>开放 %1 对</translation>
    </message>
    <message>
        <source>changes no pairs here</source>
        <translation>在此不隐藏也不开放</translation>
    </message>
    <message>
        <source>Entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>Each layer sorted: highest %1 on the left</source>
        <translation>每层排序：%1 最高的在左</translation>
    </message>
    <message>
        <source>%1 layers ↓   %2 heads →</source>
        <translation>%1 层 ↓   %2 个头 →</translation>
    </message>
    <message>
        <source>All heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>%1. Query rows down, key columns across in every map. %2.</source>
        <translation>%1。每张图中查询为行、键为列。%2。</translation>
    </message>
    <message>
        <source>q·k</source>
        <translation>q·k</translation>
    </message>
    <message>
        <source>÷ √%1</source>
        <translation>÷ √%1</translation>
    </message>
    <message>
        <source>× 1</source>
        <translation>× 1</translation>
    </message>
    <message>
        <source>soft cap</source>
        <translation>软上限</translation>
    </message>
    <message>
        <source>+ ALiBi</source>
        <translation>+ ALiBi</translation>
    </message>
    <message>
        <source>+ bias</source>
        <translation>+ 偏置</translation>
    </message>
    <message>
        <source>masked</source>
        <translation>已掩码</translation>
    </message>
    <message>
        <source>exp</source>
        <translation>exp</translation>
    </message>
    <message>
        <source>softmax</source>
        <translation>softmax</translation>
    </message>
    <message>
        <source>A and B have different tokens, so their numbers cannot be subtracted.</source>
        <translation>A 和 B 的词元不同，其数值不能相减。</translation>
    </message>
    <message>
        <source>This trace holds no query and key vectors of this layer.</source>
        <translation>此追踪不含这一层的查询和键向量。</translation>
    </message>
    <message>
        <source>The query “%1” against its keys, channel by channel (%2 numbers each), and the steps from q·k to the weight; “%3” is chosen. Colours of q and k from −%4 to +%4, of products from −%5 to +%5.</source>
        <translation>查询“%1”与其各键逐维比较（各 %2 个数），以及从 q·k 到权重的步骤；选中“%3”。q 和 k 的颜色从 −%4 到 +%4，乘积从 −%5 到 +%5。</translation>
    </message>
    <message>
        <source>Shown are the %1 of %2 keys with most weight.</source>
        <translation>显示权重最大的 %1 个键，共 %2 个。</translation>
    </message>
    <message>
        <source>ALiBi: %1 × (%2 − %3)</source>
        <translation>ALiBi：%1 × (%2 − %3)</translation>
    </message>
    <message>
        <source>bias of bucket %1</source>
        <translation>桶 %1 的偏置</translation>
    </message>
    <message>
        <source>this model does not divide by √d_k</source>
        <translation>此模型不除以 √d_k</translation>
    </message>
    <message>
        <source>turned by their positions</source>
        <translation>按其位置旋转</translation>
    </message>
    <message>
        <source>hidden by the mask, score −∞, so </source>
        <translation>被掩码隐藏，得分 −∞，所以 </translation>
    </message>
    <message>
        <source>blocked by hand, in all layers and heads</source>
        <translation>在所有层和头中手工屏蔽</translation>
    </message>
    <message>
        <source>weight moved</source>
        <translation>移动的权重</translation>
    </message>
    <message>
        <source>as trained</source>
        <translation>训练所得</translation>
    </message>
    <message>
        <source>with %1 changes</source>
        <translation>含 %1 处更改</translation>
    </message>
    <message>
        <source>A, as trained</source>
        <translation>A，训练所得</translation>
    </message>
    <message>
        <source>B, %1</source>
        <translation>B，%1</translation>
    </message>
    <message>
        <source>B − A</source>
        <translation>B − A</translation>
    </message>
    <message>
        <source>Attention of one head as trained (A) and with changes (B: %1), weights on a fixed scale 0 to 1, their difference on −1 to +1; below, the most likely next tokens of A (upper bar) and B (lower bar).</source>
        <translation>一个头在训练所得（A）和有更改（B：%1）时的注意力，权重用固定刻度 0 到 1，差异用 −1 到 +1；下方是 A（上条）和 B（下条）最可能的下一词元。</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 of %2 links drawn, %3 % of the weight; those below %4 are hidden</source>
        <translation>画出 %2 条连线中的 %1 条，占权重的 %3 %；低于 %4 的已隐藏</translation>
    </message>
    <message>
        <source>words</source>
        <translation>词</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>itself</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>%1 %2 ahead</source>
        <translation>%1 %2 向后</translation>
    </message>
    <message>
        <source>%1 %2 back</source>
        <translation>%1 %2 向前</translation>
    </message>
    <message>
        <source>head %1 %2</source>
        <translation>头 %1 %2</translation>
    </message>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>“%1”, %2, input</source>
        <translation>“%1”，%2，输入</translation>
    </message>
    <message>
        <source>“%1”, %2, after layer %3</source>
        <translation>“%1”，%2，层 %3 之后</translation>
    </message>
    <message>
        <source>; contributes %1 of “%2” after %3</source>
        <translation>；贡献 %3 之后“%2”的 %1</translation>
    </message>
    <message>
        <source>; pinned</source>
        <translation>；已固定</translation>
    </message>
    <message>
        <source>difference %1</source>
        <translation>差异 %1</translation>
    </message>
    <message>
        <source>weight %1</source>
        <translation>权重 %1</translation>
    </message>
    <message>
        <source>“%1” to itself in layer %2: %3</source>
        <translation>在层 %2 中“%1”到自身：%3</translation>
    </message>
    <message>
        <source>“%1” into “%2” in layer %3: %4</source>
        <translation>在层 %3 中“%1”进入“%2”：%4</translation>
    </message>
    <message>
        <source>row sum</source>
        <translation>行总和</translation>
    </message>
    <message>
        <source>received</source>
        <translation>所得</translation>
    </message>
    <message>
        <source>number %1 of %2 by size</source>
        <translation>按大小第 %1，共 %2</translation>
    </message>
    <message>
        <source>positive</source>
        <translation>正</translation>
    </message>
    <message>
        <source>negative</source>
        <translation>负</translation>
    </message>
    <message>
        <source>zero</source>
        <translation>零</translation>
    </message>
    <message>
        <source>dimension %1, B−A: q %2, k %3, product %4</source>
        <translation>维度 %1，B−A：q %2，k %3，乘积 %4</translation>
    </message>
    <message>
        <source>dimension %1: q %2 × k %3 = %4</source>
        <translation>维度 %1：q %2 × k %3 = %4</translation>
    </message>
    <message>
        <source>query %1, %2; key %3, %4</source>
        <translation>查询 %1，%2；键 %3，%4</translation>
    </message>
    <message>
        <source>q × k, change</source>
        <translation>q × k，变化</translation>
    </message>
    <message>
        <source>q × k</source>
        <translation>q × k</translation>
    </message>
    <message>
        <source>Point to a dimension to read it, or press ← and →</source>
        <translation>指向一个维度即可读数，或按 ← 和 →</translation>
    </message>
    <message>
        <source>q and k, scaled to this row</source>
        <translation>q 和 k，按此行缩放</translation>
    </message>
    <message>
        <source>q × k, scaled to this row</source>
        <translation>q × k，按此行缩放</translation>
    </message>
    <message>
        <source>k</source>
        <translation>k</translation>
    </message>
    <message>
        <source>−1 to +1</source>
        <translation>−1 到 +1</translation>
    </message>
    <message>
        <source>0 to 1</source>
        <translation>0 到 1</translation>
    </message>
    <message>
        <source>Rotary positions</source>
        <translation>旋转位置编码</translation>
    </message>
    <message>
        <source>ALiBi</source>
        <translation>ALiBi</translation>
    </message>
    <message>
        <source>Relative position buckets</source>
        <translation>相对位置桶</translation>
    </message>
    <message>
        <source>Every pair of dimensions is a clock hand. An offset of %1 rotates each hand by a fixed angle, whatever %2 is. Drag %2: the shaded angles do not change.</source>
        <translation>每对维度是一根钟表指针。平移 %1 使每根指针旋转固定的角度，与 %2 无关。拖动 %2：阴影角不变。</translation>
    </message>
    <message>
        <source>These are the learned position embeddings of %1, one row per position. Nothing forces them to be waves, yet neighbouring rows become similar.</source>
        <translation>这些是 %1 的可学习位置嵌入，每个位置一行。没有什么强迫它们成为波形，相邻的行却变得相似。</translation>
    </message>
    <message>
        <source>Without position encoding all positions look the same: the model cannot tell “dog bites man” from “man bites dog”.</source>
        <translation>没有位置编码，所有位置都一样：模型无法区分“狗咬人”和“人咬狗”。</translation>
    </message>
    <message>
        <source>q of “%1” and k of “%2”, %3</source>
        <translation>“%1”的 q 与“%2”的 k，%3</translation>
    </message>
    <message>
        <source>an example of %1 channels</source>
        <translation>%1 维的例子</translation>
    </message>
    <message>
        <source>Query at m = %1, key at n = %2: q·k = %3. Shifting both changes it by at most %4.</source>
        <translation>查询在 m = %1，键在 n = %2：q·k = %3。两者一起平移最多使它改变 %4。</translation>
    </message>
    <message>
        <source>Head %1 subtracts %2 from the score per token of distance: %3 at distance %4.</source>
        <translation>头 %1 按每个词元的距离从得分中减去 %2：距离 %4 时为 %3。</translation>
    </message>
    <message>
        <source>A key %1 tokens back is in bucket %2 of %3.</source>
        <translation>往前 %1 个词元的键在 %3 个桶中的第 %2 个。</translation>
    </message>
    <message>
        <source> Head %1 adds %2 to its score.</source>
        <translation>头 %1 给它的得分加上 %2。</translation>
    </message>
    <message>
        <source>channels %1, %2</source>
        <translation>维度 %1、%2</translation>
    </message>
    <message>
        <source>adds %1</source>
        <translation>加上 %1</translation>
    </message>
    <message>
        <source>q·k by distance</source>
        <translation>q·k 随距离的变化</translation>
    </message>
    <message>
        <source>distance m − n</source>
        <translation>距离 m − n</translation>
    </message>
    <message>
        <source>pair</source>
        <translation>对</translation>
    </message>
    <message>
        <source>° per token</source>
        <translation>° 每词元</translation>
    </message>
    <message>
        <source>tokens per turn</source>
        <translation>每圈词元数</translation>
    </message>
    <message>
        <source>scaled by</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Pairs rotate</source>
        <translation>各对旋转</translation>
    </message>
    <message>
        <source>query at m = %1, key at n = %2</source>
        <translation>查询在 m = %1，键在 n = %2</translation>
    </message>
    <message>
        <source>Frequencies</source>
        <translation>频率</translation>
    </message>
    <message>
        <source>of this model</source>
        <translation>本模型的</translation>
    </message>
    <message>
        <source>base %1</source>
        <translation>底数 %1</translation>
    </message>
    <message>
        <source>Penalty by distance</source>
        <translation>按距离的惩罚</translation>
    </message>
    <message>
        <source>%1 heads</source>
        <translation>%1 个头</translation>
    </message>
    <message>
        <source>distance in tokens</source>
        <translation>以词元计的距离</translation>
    </message>
    <message>
        <source>distance %1</source>
        <translation>距离 %1</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>slope</source>
        <translation>斜率</translation>
    </message>
    <message>
        <source>at distance %1</source>
        <translation>距离 %1 处</translation>
    </message>
    <message>
        <source>Bias of head %1</source>
        <translation>头 %1 的偏置</translation>
    </message>
    <message>
        <source>Bias, −%1 to +%1</source>
        <translation>偏置，−%1 到 +%1</translation>
    </message>
    <message>
        <source>Bucket of each distance</source>
        <translation>每个距离的桶</translation>
    </message>
    <message>
        <source>%1 buckets, the last from distance %2 on, %3</source>
        <translation>%1 个桶，最后一个从距离 %2 起，%3</translation>
    </message>
    <message>
        <source>both directions</source>
        <translation>双向</translation>
    </message>
    <message>
        <source>backward only</source>
        <translation>仅向前</translation>
    </message>
    <message>
        <source>tokens back</source>
        <translation>向前的词元数</translation>
    </message>
    <message>
        <source>behind</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>distance %1: bucket %2</source>
        <translation>距离 %1：桶 %2</translation>
    </message>
    <message>
        <source>Learned bias by distance</source>
        <translation>学到的偏置随距离的变化</translation>
    </message>
    <message>
        <source>head %1 of this model, among the others</source>
        <translation>本模型的头 %1，与其他头相比</translation>
    </message>
    <message>
        <source>The open model has no relative bias, so there is none to show.</source>
        <translation>打开的模型没有相对偏置，因此没有可显示的内容。</translation>
    </message>
    <message>
        <source>query %1, %2; key %3, %4; %5 %6</source>
        <translation>查询 %1，%2；键 %3，%4；%5 %6</translation>
    </message>
    <message>
        <source>1 layer</source>
        <translation>1 层</translation>
    </message>
    <message>
        <source>%1 layers</source>
        <translation>%1 层</translation>
    </message>
    <message>
        <source>1 head</source>
        <translation>1 个头</translation>
    </message>
    <message>
        <source>%1 · %2 · %3 M parameters</source>
        <translation>%1 · %2 · %3 百万参数</translation>
    </message>
    <message>
        <source>embedding of %1</source>
        <translation>%1 的嵌入</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>mean weight of head %1.%2 at distance %3</source>
        <translation>头 %1.%2 在距离 %3 处的平均权重</translation>
    </message>
    <message>
        <source>weight %1 → %2 times its distance</source>
        <translation>权重 %1 → %2 乘以其距离</translation>
    </message>
    <message>
        <source>mean distance of head %1.%2</source>
        <translation>头 %1.%2 的平均距离</translation>
    </message>
    <message>
        <source>attention of all heads, %1</source>
        <translation>所有头的注意力，%1</translation>
    </message>
    <message>
        <source>attention of the row</source>
        <translation>该行的注意力</translation>
    </message>
    <message>
        <source>residual stream</source>
        <translation>残差流</translation>
    </message>
    <message>
        <source>weight of token %1 in token %2, layer %3</source>
        <translation>词元 %1 在词元 %2 中的权重，层 %3</translation>
    </message>
    <message>
        <source>length of the vector from token %1</source>
        <translation>来自词元 %1 的向量的长度</translation>
    </message>
    <message>
        <source>length of the stream</source>
        <translation>残差流的长度</translation>
    </message>
    <message>
        <source>Weights without the weak edges are renormalised. Keep weak edges to trace one.</source>
        <translation>去掉弱边后权重经过重新归一化。要追溯，请保留弱边。</translation>
    </message>
    <message>
        <source>The distance compares whole vectors. Choose “Length” to trace it.</source>
        <translation>距离比较的是整个向量。要追溯，请选择“长度”。</translation>
    </message>
    <message>
        <source>This trace does not contain the residual stream.</source>
        <translation>此追踪不含残差流。</translation>
    </message>
    <message>
        <source>Above %1 tokens a contribution has too many operands to list.</source>
        <translation>超过 %1 个词元时，一项贡献的操作数太多，无法列出。</translation>
    </message>
    <message>
        <source>weight of a word in a word, layer %1</source>
        <translation>词在词中的权重，层 %1</translation>
    </message>
    <message>
        <source>q[%1] k[%1]</source>
        <translation>q[%1] k[%1]</translation>
    </message>
    <message>
        <source>q·k, scaled</source>
        <translation>q·k，已缩放</translation>
    </message>
    <message>
        <source>length of the value vector</source>
        <translation>值向量的长度</translation>
    </message>
    <message>
        <source>weight times length of the value vector</source>
        <translation>权重乘以值向量的长度</translation>
    </message>
    <message>
        <source>weight of %1 on %2, layer %3, head %4</source>
        <translation>%1 对 %2 的权重，层 %3，头 %4</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>number of weight updates</source>
        <translation>权重的更新次数</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>sequences per step</source>
        <translation>每步的序列数</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>same seed, same result</source>
        <translation>种子相同，结果相同</translation>
    </message>
    <message>
        <source>Accumulate</source>
        <translation>梯度累积</translation>
    </message>
    <message>
        <source>micro-batches per step; saves memory</source>
        <translation>每步的微批次数；节省内存</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>generated data</source>
        <translation>生成的数据</translation>
    </message>
    <message>
        <source>Text file</source>
        <translation>文本文件</translation>
    </message>
    <message>
        <source>used instead of a task</source>
        <translation>代替任务</translation>
    </message>
    <message>
        <source>File of batches</source>
        <translation>批次文件</translation>
    </message>
    <message>
        <source>used instead of either</source>
        <translation>代替前两者</translation>
    </message>
    <message>
        <source>Tokenizer file</source>
        <translation>分词器文件</translation>
    </message>
    <message>
        <source>empty: trained on the text</source>
        <translation>留空：在文本上训练</translation>
    </message>
    <message>
        <source>Vocabulary size</source>
        <translation>词表大小</translation>
    </message>
    <message>
        <source>of a trained tokenizer</source>
        <translation>用于训练所得的分词器</translation>
    </message>
    <message>
        <source>Generated bytes</source>
        <translation>生成的字节数</translation>
    </message>
    <message>
        <source>for stories and sentences</source>
        <translation>用于故事和句子</translation>
    </message>
    <message>
        <source>Data seed</source>
        <translation>数据种子</translation>
    </message>
    <message>
        <source>for generated data</source>
        <translation>用于生成的数据</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>kind of repetition</source>
        <translation>重复的方式</translation>
    </message>
    <message>
        <source>Repeated rows</source>
        <translation>重复的行</translation>
    </message>
    <message>
        <source>fraction of a text’s rows</source>
        <translation>占文本各行的比例</translation>
    </message>
    <message>
        <source>Minimum source length</source>
        <translation>源的最小长度</translation>
    </message>
    <message>
        <source>symbols or digits</source>
        <translation>符号或数字</translation>
    </message>
    <message>
        <source>Maximum source length</source>
        <translation>源的最大长度</translation>
    </message>
    <message>
        <source>Reverse sum</source>
        <translation>倒写和</translation>
    </message>
    <message>
        <source>last digit first</source>
        <translation>末位在前</translation>
    </message>
    <message>
        <source>Held-out fraction</source>
        <translation>留出比例</translation>
    </message>
    <message>
        <source>of a text</source>
        <translation>用于文本</translation>
    </message>
    <message>
        <source>Held-out batches</source>
        <translation>留出批数</translation>
    </message>
    <message>
        <source>for a task</source>
        <translation>用于任务</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>peak value</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>update rule</source>
        <translation>更新规则</translation>
    </message>
    <message>
        <source>Beta 1</source>
        <translation>Beta 1</translation>
    </message>
    <message>
        <source>decay of the gradient mean</source>
        <translation>梯度均值的衰减</translation>
    </message>
    <message>
        <source>Beta 2</source>
        <translation>Beta 2</translation>
    </message>
    <message>
        <source>decay of the squared mean</source>
        <translation>梯度平方均值的衰减</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Epsilon</translation>
    </message>
    <message>
        <source>avoids division by zero</source>
        <translation>防止除以 0</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>动量</translation>
    </message>
    <message>
        <source>for sgd</source>
        <translation>用于 sgd</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>pulls weights towards 0</source>
        <translation>把权重拉向 0</translation>
    </message>
    <message>
        <source>Clip gradient</source>
        <translation>梯度裁剪</translation>
    </message>
    <message>
        <source>maximum norm, or none</source>
        <translation>最大范数，或 none</translation>
    </message>
    <message>
        <source>Decay matrices only</source>
        <translation>只衰减矩阵</translation>
    </message>
    <message>
        <source>skip biases and norms</source>
        <translation>不含偏置和归一化</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>学习率调度</translation>
    </message>
    <message>
        <source>of the learning rate</source>
        <translation>学习率的调度</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>steps to the peak rate</source>
        <translation>到峰值的步数</translation>
    </message>
    <message>
        <source>Final step</source>
        <translation>最后一步</translation>
    </message>
    <message>
        <source>empty: end of training</source>
        <translation>留空：训练结束时</translation>
    </message>
    <message>
        <source>Minimum rate</source>
        <translation>最低学习率</translation>
    </message>
    <message>
        <source>for warmup_cosine_floor</source>
        <translation>用于 warmup_cosine_floor</translation>
    </message>
    <message>
        <source>Noam width</source>
        <translation>Noam 的宽度</translation>
    </message>
    <message>
        <source>empty: model width</source>
        <translation>留空：模型宽度</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>训练目标</translation>
    </message>
    <message>
        <source>what is predicted</source>
        <translation>预测什么</translation>
    </message>
    <message>
        <source>Label smoothing</source>
        <translation>标签平滑</translation>
    </message>
    <message>
        <source>probability spread over all tokens</source>
        <translation>分给所有词元的概率</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑方式</translation>
    </message>
    <message>
        <source>tokens that receive it</source>
        <translation>得到该概率的词元</translation>
    </message>
    <message>
        <source>Log every</source>
        <translation>记录间隔</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Validate every</source>
        <translation>验证间隔</translation>
    </message>
    <message>
        <source>steps; 0: at the end</source>
        <translation>步；0：在结束时</translation>
    </message>
    <message>
        <source>Snapshot every</source>
        <translation>快照间隔</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>starting configuration</source>
        <translation>起始配置</translation>
    </message>
    <message>
        <source>encoder, decoder or both</source>
        <translation>编码器、解码器或两者</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>blocks per stack</source>
        <translation>每个栈的块数</translation>
    </message>
    <message>
        <source>Decoder layers</source>
        <translation>解码器层数</translation>
    </message>
    <message>
        <source>0: as many as layers</source>
        <translation>0：与层数相同</translation>
    </message>
    <message>
        <source>per layer</source>
        <translation>每层</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>of the residual stream</source>
        <translation>残差流的</translation>
    </message>
    <message>
        <source>Feed-forward width</source>
        <translation>前馈网络宽度</translation>
    </message>
    <message>
        <source>0: no feed-forward network</source>
        <translation>0：没有前馈网络</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文长度</translation>
    </message>
    <message>
        <source>maximum tokens per sequence</source>
        <translation>每个序列的最大词元数</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>empty: set by the tokenizer</source>
        <translation>留空：由分词器决定</translation>
    </message>
    <message>
        <source>Initialisation</source>
        <translation>初始化</translation>
    </message>
    <message>
        <source>of the weights</source>
        <translation>权重的初始化</translation>
    </message>
    <message>
        <source>Initial std. deviation</source>
        <translation>初始标准差</translation>
    </message>
    <message>
        <source>for “normal”</source>
        <translation>用于“normal”</translation>
    </message>
    <message>
        <source>positional encoding</source>
        <translation>位置编码</translation>
    </message>
    <message>
        <source>Sinusoidal base</source>
        <translation>正弦底数</translation>
    </message>
    <message>
        <source>longest wavelength</source>
        <translation>最长波长</translation>
    </message>
    <message>
        <source>Relative buckets</source>
        <translation>相对位置桶数</translation>
    </message>
    <message>
        <source>for T5</source>
        <translation>用于 T5</translation>
    </message>
    <message>
        <source>Relative distance</source>
        <translation>相对位置范围</translation>
    </message>
    <message>
        <source>RoPE base</source>
        <translation>RoPE 底数</translation>
    </message>
    <message>
        <source>slowest rotation</source>
        <translation>最慢的旋转</translation>
    </message>
    <message>
        <source>RoPE pairs</source>
        <translation>RoPE 配对</translation>
    </message>
    <message>
        <source>channel pairing</source>
        <translation>维度的配对方式</translation>
    </message>
    <message>
        <source>RoPE channels</source>
        <translation>RoPE 维度</translation>
    </message>
    <message>
        <source>0: all channels</source>
        <translation>0：所有维度</translation>
    </message>
    <message>
        <source>RoPE scaling</source>
        <translation>RoPE 缩放</translation>
    </message>
    <message>
        <source>extends the context</source>
        <translation>扩展上下文</translation>
    </message>
    <message>
        <source>Scaling factor</source>
        <translation>缩放因子</translation>
    </message>
    <message>
        <source>Original context</source>
        <translation>原始上下文</translation>
    </message>
    <message>
        <source>Low frequency factor</source>
        <translation>低频因子</translation>
    </message>
    <message>
        <source>High frequency factor</source>
        <translation>高频因子</translation>
    </message>
    <message>
        <source>Beta, fast</source>
        <translation>Beta（快）</translation>
    </message>
    <message>
        <source>Beta, slow</source>
        <translation>Beta（慢）</translation>
    </message>
    <message>
        <source>Attention factor</source>
        <translation>注意力因子</translation>
    </message>
    <message>
        <source>for RoPE scaling</source>
        <translation>用于 RoPE 缩放</translation>
    </message>
    <message>
        <source>sharing of key heads</source>
        <translation>键头的共享</translation>
    </message>
    <message>
        <source>Key heads</source>
        <translation>键头数</translation>
    </message>
    <message>
        <source>for grouped-query attention</source>
        <translation>用于分组查询注意力</translation>
    </message>
    <message>
        <source>Head width</source>
        <translation>头宽度</translation>
    </message>
    <message>
        <source>0: width / heads</source>
        <translation>0：宽度 / 头数</translation>
    </message>
    <message>
        <source>Causal mask</source>
        <translation>因果掩码</translation>
    </message>
    <message>
        <source>off: every token sees all others</source>
        <translation>关闭：每个词元看到所有其他词元</translation>
    </message>
    <message>
        <source>Scale scores</source>
        <translation>缩放得分</translation>
    </message>
    <message>
        <source>divide by √dₖ</source>
        <translation>除以 √dₖ</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>maximum distance to a key</source>
        <translation>到键的最大距离</translation>
    </message>
    <message>
        <source>Soft cap</source>
        <translation>软上限</translation>
    </message>
    <message>
        <source>of attention scores; 0: none</source>
        <translation>用于注意力得分；0：无</translation>
    </message>
    <message>
        <source>Latent rank</source>
        <translation>潜变量秩</translation>
    </message>
    <message>
        <source>Query rank</source>
        <translation>查询秩</translation>
    </message>
    <message>
        <source>Rotary channels</source>
        <translation>旋转维度</translation>
    </message>
    <message>
        <source>Plain channels</source>
        <translation>普通维度</translation>
    </message>
    <message>
        <source>Value channels</source>
        <translation>值维度</translation>
    </message>
    <message>
        <source>for latent attention (“mla”)</source>
        <translation>用于潜在注意力（“mla”）</translation>
    </message>
    <message>
        <source>Norm position</source>
        <translation>归一化位置</translation>
    </message>
    <message>
        <source>before or after</source>
        <translation>之前或之后</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Norm epsilon</source>
        <translation>归一化 epsilon</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>激活函数</translation>
    </message>
    <message>
        <source>of the feed-forward network</source>
        <translation>用于前馈网络</translation>
    </message>
    <message>
        <source>Parallel residual</source>
        <translation>并行残差</translation>
    </message>
    <message>
        <source>attention parallel to feed-forward</source>
        <translation>注意力与前馈网络并行</translation>
    </message>
    <message>
        <source>Embedding norm</source>
        <translation>嵌入归一化</translation>
    </message>
    <message>
        <source>right after embedding</source>
        <translation>紧接嵌入之后</translation>
    </message>
    <message>
        <source>Biases</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>in linear layers</source>
        <translation>用于线性层</translation>
    </message>
    <message>
        <source>Query, key, value bias</source>
        <translation>查询、键、值的偏置</translation>
    </message>
    <message>
        <source>none: as biases</source>
        <translation>none：同“偏置”</translation>
    </message>
    <message>
        <source>Head bias</source>
        <translation>输出头偏置</translation>
    </message>
    <message>
        <source>of the language head</source>
        <translation>用于语言模型头</translation>
    </message>
    <message>
        <source>Tie embeddings</source>
        <translation>绑定嵌入</translation>
    </message>
    <message>
        <source>one matrix for embedding and head</source>
        <translation>嵌入和输出头共用一个矩阵</translation>
    </message>
    <message>
        <source>Share source embedding</source>
        <translation>共享源嵌入</translation>
    </message>
    <message>
        <source>none: as tied</source>
        <translation>none：同“绑定嵌入”</translation>
    </message>
    <message>
        <source>Embedding scale</source>
        <translation>嵌入缩放</translation>
    </message>
    <message>
        <source>a number, or “sqrt”</source>
        <translation>一个数，或“sqrt”</translation>
    </message>
    <message>
        <source>Head scale</source>
        <translation>输出头缩放</translation>
    </message>
    <message>
        <source>a number, or “inverse_sqrt”</source>
        <translation>一个数，或“inverse_sqrt”</translation>
    </message>
    <message>
        <source>Language head</source>
        <translation>语言模型头</translation>
    </message>
    <message>
        <source>off: hidden states only</source>
        <translation>关闭：只有隐藏状态</translation>
    </message>
    <message>
        <source>Head transform</source>
        <translation>输出头变换</translation>
    </message>
    <message>
        <source>for BERT</source>
        <translation>用于 BERT</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>分段</translation>
    </message>
    <message>
        <source>for BERT: 2</source>
        <translation>BERT 为 2</translation>
    </message>
    <message>
        <source>Next sentence</source>
        <translation>下一句</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>0: dense feed-forward network</source>
        <translation>0：稠密前馈网络</translation>
    </message>
    <message>
        <source>Active experts</source>
        <translation>激活的专家</translation>
    </message>
    <message>
        <source>per token</source>
        <translation>每个词元</translation>
    </message>
    <message>
        <source>Balance</source>
        <translation>均衡</translation>
    </message>
    <message>
        <source>load of the experts</source>
        <translation>专家的负载</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>Dropout</translation>
    </message>
    <message>
        <source>fraction set to 0</source>
        <translation>置为 0 的比例</translation>
    </message>
    <message>
        <source>Attention dropout</source>
        <translation>注意力 Dropout</translation>
    </message>
    <message>
        <source>none: as dropout</source>
        <translation>none：同“Dropout”</translation>
    </message>
    <message>
        <source>Embedding dropout</source>
        <translation>嵌入 Dropout</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>fit</source>
        <translation>拟合</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>非有限值</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>From the curriculum</source>
        <translation>来自课程大纲</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Hover for the date</source>
        <translation>悬停可查看日期</translation>
    </message>
    <message>
        <source>running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>Finished %1</source>
        <translation>完成于 %1</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>%1 diverged</source>
        <translation>%1 已发散</translation>
    </message>
    <message>
        <source>smoothed over %1 points</source>
        <translation>按 %1 个点平滑</translation>
    </message>
    <message>
        <source>%1 by %2</source>
        <translation>%1 随 %2 的变化</translation>
    </message>
    <message>
        <source>L(N) = %1 + %2 · N^−%3, mean error %4 %</source>
        <translation>L(N) = %1 + %2 · N^−%3，平均误差 %4 %</translation>
    </message>
    <message>
        <source>%1 steps each</source>
        <translation>各 %1 步</translation>
    </message>
    <message>
        <source>%1 to %2 steps</source>
        <translation>%1 到 %2 步</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>differs in: %1</source>
        <translation>不同之处：%1</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>最高 %1</translation>
    </message>
    <message>
        <source>no steps</source>
        <translation>没有步</translation>
    </message>
    <message>
        <source>under 1 s</source>
        <translation>不到 1 秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>%1 days</source>
        <translation>%1 天</translation>
    </message>
    <message>
        <source>%1 kB</source>
        <translation>%1 kB</translation>
    </message>
    <message>
        <source>%1 MB</source>
        <translation>%1 MB</translation>
    </message>
    <message>
        <source>%1 GB</source>
        <translation>%1 GB</translation>
    </message>
    <message>
        <source>Not measured.</source>
        <translation>未测量。</translation>
    </message>
    <message>
        <source>Timing a few steps…</source>
        <translation>正在试跑几步计时…</translation>
    </message>
    <message>
        <source>whole batches</source>
        <translation>完整的批次</translation>
    </message>
    <message>
        <source>%1 of %2 rows of a batch</source>
        <translation>一个批次 %2 行中的 %1 行</translation>
    </message>
    <message>
        <source>Based on %1 steps of this model timed on this machine with %2 on %3: %4 ms per step, %5 steps. Validation and snapshots take additional time.</source>
        <translation>根据该模型在本机上 %1 步的计时（%2，%3）：每步 %4 毫秒，共 %5 步。验证和快照另需时间。</translation>
    </message>
    <message>
        <source>%1: %2 %3.</source>
        <translation>%1：%2 %3。</translation>
    </message>
    <message>
        <source>Highest %1 of any head</source>
        <translation>%1 最高的头</translation>
    </message>
    <message>
        <source>by tokens: rows of a batch × longest row</source>
        <translation>按词元：批次的行数 × 最长行</translation>
    </message>
    <message>
        <source>by step</source>
        <translation>按步</translation>
    </message>
    <message>
        <source> · smoothed over %1 points</source>
        <translation> · 按 %1 个点平滑</translation>
    </message>
    <message>
        <source>%1 of %2, %3.</source>
        <translation>%2 的%1，%3。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>diverged</source>
        <translation>已发散</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>Name of its folder</source>
        <translation>其文件夹的名称</translation>
    </message>
    <message>
        <source>Training task</source>
        <translation>训练任务</translation>
    </message>
    <message>
        <source>Layers × heads · width; sorted by parameters</source>
        <translation>层 × 头 · 宽度；按参数量排序</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Completed updates, of those configured</source>
        <translation>已完成的更新次数 / 设定的次数</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Newest validation loss, in nats per token</source>
        <translation>最新的验证损失，以奈特/词元计</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>Lowest validation loss</source>
        <translation>最低的验证损失</translation>
    </message>
    <message>
        <source>Same seed and device, same numbers</source>
        <translation>种子和设备相同，数值就相同</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Device that computed attention</source>
        <translation>计算注意力的设备</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <source>Local time</source>
        <translation>本地时间</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Running: a process is writing it now</source>
        <translation>进行中：有进程正在写入</translation>
    </message>
    <message>
        <source>accuracy %1</source>
        <translation>准确率 %1</translation>
    </message>
    <message>
        <source>forked from %1 at step %2</source>
        <translation>由 %1 在第 %2 步分叉</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Only settings that differ</source>
        <translation>只列出不同的</translation>
    </message>
    <message>
        <source>planned</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>hover over a step to read it</source>
        <translation>悬停在一步上即可读数</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>held out</source>
        <translation>留出集</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>nats per token</source>
        <translation>奈特/词元</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>total</source>
        <translation>整体</translation>
    </message>
    <message>
        <source>before clipping, total and by layer</source>
        <translation>裁剪之前，整体和各层</translation>
    </message>
    <message>
        <source>used</source>
        <translation>实际</translation>
    </message>
    <message>
        <source>previous</source>
        <translation>前一词元</translation>
    </message>
    <message>
        <source>prev.</source>
        <translation>前一</translation>
    </message>
    <message>
        <source>Head scores</source>
        <translation>头得分</translation>
    </message>
    <message>
        <source>the %1 highest of %2 heads</source>
        <translation>%2 个头中最高的 %1 个</translation>
    </message>
    <message>
        <source>%1 snapshots, %2</source>
        <translation>%1 个快照，%2</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>A training run up to step %1 of %2: curves, scores of heads, snapshots, and the attention of the shown weights on a fixed scale from 0 to 1. %3</source>
        <translation>一次训练运行，到第 %1 步，共 %2 步：曲线、头得分、快照，以及所示权重的注意力（固定刻度 0 到 1）。%3</translation>
    </message>
    <message>
        <source>%1 + %2 layers × %3 heads</source>
        <translation>%1 + %2 层 × %3 个头</translation>
    </message>
    <message>
        <source>1 layer × %1 heads</source>
        <translation>1 层 × %1 个头</translation>
    </message>
    <message>
        <source>%1 layers × %2 heads</source>
        <translation>%1 层 × %2 个头</translation>
    </message>
    <message>
        <source>Jump at step %1</source>
        <translation>第 %1 步处跃变</translation>
    </message>
    <message>
        <source>%1 of head %2: %3 to %4</source>
        <translation>头 %2 的%1：%3 到 %4</translation>
    </message>
    <message>
        <source>, and %1 more</source>
        <translation>，另有 %1 处</translation>
    </message>
    <message>
        <source>validation loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>left</source>
        <translation>剩余</translation>
    </message>
    <message>
        <source>d %1</source>
        <translation>d %1</translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>设备 %1</translation>
    </message>
    <message>
        <source>At step %1 head %2 has the highest %3: %4.</source>
        <translation>第 %1 步时，头 %2 的%3最高：%4。</translation>
    </message>
    <message>
        <source> (measured %1)</source>
        <translation> （实测 %1）</translation>
    </message>
    <message>
        <source>perplexity %1</source>
        <translation>困惑度 %1</translation>
    </message>
    <message>
        <source>%1 %2: %3</source>
        <translation>%1 %2：%3</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间轴</translation>
    </message>
    <message>
        <source>following live</source>
        <translation>实时跟随</translation>
    </message>
    <message>
        <source>step %1, the newest</source>
        <translation>第 %1 步，最新</translation>
    </message>
    <message>
        <source>step %1 of %2, back to live</source>
        <translation>第 %1 步，共 %2 步，返回实时</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1 × %2 heads · step %3</source>
        <translation>%1 × %2 个头 · 第 %3 步</translation>
    </message>
    <message>
        <source>training: %1, step %2</source>
        <translation>训练中：%1，第 %2 步</translation>
    </message>
    <message>
        <source>Own text</source>
        <translation>自己的文本</translation>
    </message>
    <message>
        <source>%1 × %2 · d %3</source>
        <translation>%1 × %2 · d %3</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>%2 的第 %1 步</translation>
    </message>
    <message>
        <source>Worked example, %1 of %2 numbers</source>
        <translation>例题，%2 个数中的 %1 个</translation>
    </message>
    <message>
        <source>there is no head to work through yet</source>
        <translation>还没有可逐步计算的头</translation>
    </message>
    <message>
        <source>Open a model and type a sentence</source>
        <translation>请打开一个模型并输入句子</translation>
    </message>
    <message>
        <source>“%1” of %2</source>
        <translation>%2的“%1”</translation>
    </message>
    <message>
        <source>row “%1” of %2</source>
        <translation>%2的行“%1”</translation>
    </message>
    <message>
        <source>column “%1” of %2</source>
        <translation>%2的列“%1”</translation>
    </message>
    <message>
        <source> and </source>
        <translation> 和 </translation>
    </message>
    <message>
        <source>Dot product: each number of %1 is multiplied by the matching number of %2, and the products are added.</source>
        <translation>点积：%1 的每个数与 %2 中对应的数相乘，再把乘积相加。</translation>
    </message>
    <message>
        <source>%2 is subtracted from %1.</source>
        <translation>从 %1 中减去 %2。</translation>
    </message>
    <message>
        <source>%1 is multiplied by %2.</source>
        <translation>%1 乘以 %2。</translation>
    </message>
    <message>
        <source>%1 is divided by %2.</source>
        <translation>%1 除以 %2。</translation>
    </message>
    <message>
        <source>%1 is raised to the power of %2.</source>
        <translation>以 %2 为指数，取 %1 的幂。</translation>
    </message>
    <message>
        <source>The numbers of %1 are added.</source>
        <translation>把 %1 的数相加。</translation>
    </message>
    <message>
        <source>The mean of %1 is computed: their sum divided by their count.</source>
        <translation>把 %1 的数相加，再除以个数。</translation>
    </message>
    <message>
        <source>The maximum of %1 is taken.</source>
        <translation>找出 %1 中最大的数。</translation>
    </message>
    <message>
        <source>The number e is raised to the power of %1.</source>
        <translation>以 %1 为指数，取 e 的幂。</translation>
    </message>
    <message>
        <source>The natural logarithm of %1 is taken.</source>
        <translation>取 %1 的自然对数。</translation>
    </message>
    <message>
        <source>The square root of %1 is taken.</source>
        <translation>取 %1 的平方根。</translation>
    </message>
    <message>
        <source>%1 is squared.</source>
        <translation>%1 取平方。</translation>
    </message>
    <message>
        <source>The sine of %1 is taken.</source>
        <translation>取 %1 的正弦。</translation>
    </message>
    <message>
        <source>The cosine of %1 is taken.</source>
        <translation>取 %1 的余弦。</translation>
    </message>
    <message>
        <source>%1 is copied unchanged.</source>
        <translation>%1 原样复制。</translation>
    </message>
    <message>
        <source>These are the inputs. Each step computes one number from them.</source>
        <translation>这些是输入。每一步由它们算出一个数。</translation>
    </message>
    <message>
        <source>The mask hides this cell.</source>
        <translation>掩码隐藏此单元格。</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Masks</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Inside a block</source>
        <translation>块的内部</translation>
    </message>
    <message>
        <source>Whole models</source>
        <translation>完整模型</translation>
    </message>
    <message>
        <source>Decoding</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>What heads learn</source>
        <translation>注意力头学到什么</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Colours from %1 to %2</source>
        <translation>颜色从 %1 到 %2</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开启</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>id</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>parent</source>
        <translation>父节点</translation>
    </message>
    <message>
        <source>fate</source>
        <translation>去向</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>dropped</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>description</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>box</source>
        <translation>方框</translation>
    </message>
    <message>
        <source>goes to</source>
        <translation>通向</translation>
    </message>
    <message>
        <source>, from %1</source>
        <translation>，来自 %1</translation>
    </message>
    <message>
        <source>, to %1</source>
        <translation>，通向 %1</translation>
    </message>
    <message>
        <source>%1 · measured here</source>
        <translation>%1 · 此处实测</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>, measured here</source>
        <translation>，此处实测</translation>
    </message>
    <message>
        <source>w%1</source>
        <translation>w%1</translation>
    </message>
    <message>
        <source>Nothing is computed yet.</source>
        <translation>尚未计算任何数。</translation>
    </message>
    <message>
        <source>current</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>pending</source>
        <translation>待执行</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>w0, w1 …: the worker</source>
        <translation>w0、w1 …：机器</translation>
    </message>
    <message>
        <source>step %1 of %2, %3 %4, %5 %6</source>
        <translation>第 %1 步，共 %2 步，%3 %4，%5 %6</translation>
    </message>
    <message>
        <source>, worker %1</source>
        <translation>，工作单元 %1</translation>
    </message>
    <message>
        <source>token %1</source>
        <translation>词元 %1</translation>
    </message>
    <message>
        <source>, id %1</source>
        <translation>，编号 %1</translation>
    </message>
    <message>
        <source>, bytes %1 to %2</source>
        <translation>，第 %1 到 %2 字节</translation>
    </message>
    <message>
        <source>, new</source>
        <translation>，新增</translation>
    </message>
    <message>
        <source>best path, bold</source>
        <translation>最佳路径，加粗</translation>
    </message>
    <message>
        <source>on the best path</source>
        <translation>在最佳路径上</translation>
    </message>
    <message>
        <source>after %1</source>
        <translation>在 %1 之后</translation>
    </message>
    <message>
        <source>Type a number first, such as 0.37 or 1/2.</source>
        <translation>请先输入一个数，例如 0.37 或 1/2。</translation>
    </message>
    <message>
        <source>Not a number. Type one such as 0.37, 1/2 or √2/2.</source>
        <translation>这不是一个数。请输入如 0.37、1/2 或 √2/2 的数。</translation>
    </message>
    <message>
        <source>Right: %1.</source>
        <translation>正确：%1。</translation>
    </message>
    <message>
        <source>Very close. Check the rounding: two digits must be right.</source>
        <translation>非常接近。请重新舍入：须有两位数字正确。</translation>
    </message>
    <message>
        <source>Which number belongs in %1?</source>
        <translation>%1 中应填哪个数？</translation>
    </message>
    <message>
        <source>Which number belongs in %1: %2?</source>
        <translation>%1（%2）中应填哪个数？</translation>
    </message>
    <message>
        <source>Multiply the numbers in pairs and add the products.</source>
        <translation>把这些数逐对相乘，再把乘积相加。</translation>
    </message>
    <message>
        <source>Add the numbers.</source>
        <translation>把这些数相加。</translation>
    </message>
    <message>
        <source>Add the numbers and divide by their count.</source>
        <translation>把这些数相加，再除以个数。</translation>
    </message>
    <message>
        <source>Subtract the second number from the first.</source>
        <translation>从第一个数中减去第二个数。</translation>
    </message>
    <message>
        <source>Multiply the numbers.</source>
        <translation>把这些数相乘。</translation>
    </message>
    <message>
        <source>Divide the first number by the second.</source>
        <translation>用第一个数除以第二个数。</translation>
    </message>
    <message>
        <source>Find the largest number.</source>
        <translation>取这些数中最大的。</translation>
    </message>
    <message>
        <source>Raise e, about 2.7183, to the power of the number.</source>
        <translation>以此数为指数取 e（约 2.7183）的幂。</translation>
    </message>
    <message>
        <source>Take the natural logarithm.</source>
        <translation>取自然对数。</translation>
    </message>
    <message>
        <source>Take the square root.</source>
        <translation>取平方根。</translation>
    </message>
    <message>
        <source>Multiply the number by itself.</source>
        <translation>把此数与自身相乘。</translation>
    </message>
    <message>
        <source>Raise the first number to the power of the second.</source>
        <translation>以第二个数为指数，取第一个数的幂。</translation>
    </message>
    <message>
        <source>Take the sine; the angle is in radians.</source>
        <translation>取正弦；角以弧度计。</translation>
    </message>
    <message>
        <source>Take the cosine; the angle is in radians.</source>
        <translation>取余弦；角以弧度计。</translation>
    </message>
    <message>
        <source>This cell is masked. What does a masked score become? Type -inf for −∞.</source>
        <translation>此单元格被掩码。被掩码的得分变成什么？输入 -inf 表示 −∞。</translation>
    </message>
    <message>
        <source>The number is copied unchanged.</source>
        <translation>此数原样复制。</translation>
    </message>
    <message>
        <source>exact value %1</source>
        <translation>精确值 %1</translation>
    </message>
    <message>
        <source>exactly</source>
        <translation>精确为</translation>
    </message>
    <message>
        <source>Press Space to compute the first number.</source>
        <translation>按空格算出第一个数。</translation>
    </message>
    <message>
        <source>%1: the next number</source>
        <translation>%1：下一个数</translation>
    </message>
    <message>
        <source>%1: not computed yet</source>
        <translation>%1：尚未算出</translation>
    </message>
    <message>
        <source>%1: %2, hidden by the mask</source>
        <translation>%1：%2，被掩码隐藏</translation>
    </message>
    <message>
        <source>, exactly %1</source>
        <translation>，精确为 %1</translation>
    </message>
    <message>
        <source>. Press Enter or a digit to change it</source>
        <translation>。按 Enter 或输入数字可修改</translation>
    </message>
    <message>
        <source>Nothing is computed yet. Press Space to compute the first number.</source>
        <translation>还没有算出任何数。按空格算出第一个数。</translation>
    </message>
    <message>
        <source> equals %1</source>
        <translation> 等于 %1</translation>
    </message>
    <message>
        <source>what?</source>
        <translation>多少？</translation>
    </message>
    <message>
        <source>the first token</source>
        <translation>首词元</translation>
    </message>
    <message>
        <source>%1 and the first token</source>
        <translation>%1和首词元</translation>
    </message>
    <message>
        <source>Writing “%1”, too little of the attention is left to show</source>
        <translation>写出“%1”时，剩余的注意力太少，无法显示</translation>
    </message>
    <message>
        <source>Of head %1: </source>
        <translation>头 %1：</translation>
    </message>
    <message>
        <source>%1; without %2, renormalised</source>
        <translation>%1；不含%2，已重新归一化</translation>
    </message>
    <message>
        <source>Weights without %1 are renormalised. Show all tokens to trace one.</source>
        <translation>不含%1的权重经过重新归一化。要追溯，请显示全部词元。</translation>
    </message>
    <message>
        <source>special tokens and the first token</source>
        <translation>特殊词元和首词元</translation>
    </message>
    <message>
        <source>special tokens</source>
        <translation>特殊词元</translation>
    </message>
    <message>
        <source>Hidden: %1, %2 % of the attention; rows are renormalised.</source>
        <translation>已隐藏：%1，占注意力的 %2 %；各行已重新归一化。</translation>
    </message>
    <message>
        <source>Rows that keep less than %1 % are empty: %2.</source>
        <translation>剩余不足 %1 % 的行留空：%2。</translation>
    </message>
    <message>
        <source>%1 without %2</source>
        <translation>%1，不含%2</translation>
    </message>
    <message>
        <source>less than %1 % left</source>
        <translation>剩余不足 %1 %</translation>
    </message>
    <message>
        <source>%1, or %2</source>
        <translation>%1，或%2</translation>
    </message>
    <message>
        <source>All tokens of this text are hidden. Use the Tokens menu to show them.</source>
        <translation>这段文本的词元全部隐藏。可在“词元”菜单中显示。</translation>
    </message>
    <message>
        <source>The logits at position %1 are not all finite (NaN or infinity), so there are no probabilities. The model&apos;s weights may be damaged.</source>
        <translation>位置 %1 的 logit 不全是有限值（NaN 或无穷大），因此没有概率。模型的权重可能已损坏。</translation>
    </message>
    <message>
        <source>This trace has no logits.</source>
        <translation>此追踪不含 logit。</translation>
    </message>
    <message>
        <source>This trace has no logits at this position.</source>
        <translation>此追踪不含该位置的 logit。</translation>
    </message>
    <message>
        <source>This encoder has no head that predicts tokens. It outputs one vector per token, for use in search and text comparison.</source>
        <translation>此编码器没有预测词元的输出头。它为每个词元输出一个向量，用于检索和文本比较。</translation>
    </message>
    <message>
        <source>This model has no head that predicts tokens.</source>
        <translation>此模型没有预测词元的输出头。</translation>
    </message>
    <message>
        <source>all tokens; the text is too long to hide some here</source>
        <translation>全部词元；文本太长，此处无法隐藏部分词元</translation>
    </message>
    <message>
        <source> Maps: %1.</source>
        <translation> 图：%1。</translation>
    </message>
    <message>
        <source>special hidden</source>
        <translation>已隐藏特殊词元</translation>
    </message>
    <message>
        <source>first token hidden</source>
        <translation>已隐藏首词元</translation>
    </message>
    <message>
        <source>special and first hidden</source>
        <translation>已隐藏特殊词元和首词元</translation>
    </message>
    <message>
        <source>B−A, %1, −1 to +1</source>
        <translation>B−A，%1，−1 到 +1</translation>
    </message>
    <message>
        <source>Weight, %1, 0 to 1</source>
        <translation>权重，%1，0 到 1</translation>
    </message>
    <message>
        <source>(Weights and rows of A.)</source>
        <translation>（A 的权重和行。）</translation>
    </message>
    <message>
        <source>The column on the right of a map is the attention sink; in A and B a row and its sink sum to 1.</source>
        <translation>图右侧的列是注意力汇点；在 A 与 B 中，每行与其汇点之和为 1。</translation>
    </message>
    <message>
        <source>%1 contains several GGUF files. Open one of them.</source>
        <translation>%1 中有多个 GGUF 文件。请打开其中一个。</translation>
    </message>
    <message>
        <source>%1 is neither a model nor a training run. A model is a .gguf file, or a folder with config.json and model.safetensors.</source>
        <translation>%1 既不是模型也不是训练运行。模型是一个 .gguf 文件，或含有 config.json 和 model.safetensors 的文件夹。</translation>
    </message>
    <message>
        <source>Open a model file</source>
        <translation>打开模型文件</translation>
    </message>
    <message>
        <source>Models (*.gguf *.safetensors)</source>
        <translation>模型 (*.gguf *.safetensors)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Open a model folder</source>
        <translation>打开模型文件夹</translation>
    </message>
    <message>
        <source>captured trace · %1 × %2 heads</source>
        <translation>捕获的追踪 · %1 × %2 个头</translation>
    </message>
    <message>
        <source>captured · %1</source>
        <translation>捕获 · %1</translation>
    </message>
    <message>
        <source>computing, %1 %</source>
        <translation>正在计算，%1 %</translation>
    </message>
    <message>
        <source>%1. %2.</source>
        <translation>%1。%2。</translation>
    </message>
    <message>
        <source>captured trace</source>
        <translation>捕获的追踪</translation>
    </message>
    <message>
        <source>%1 · patterns and activations computed on demand</source>
        <translation>%1 · 注意力模式与激活值按需计算</translation>
    </message>
    <message>
        <source>%1 · patterns computed on demand</source>
        <translation>%1 · 注意力模式按需计算</translation>
    </message>
    <message>
        <source>Captured trace of %1 (read-only). Open a model to edit the text.</source>
        <translation>捕获的 %1 追踪（只读）。打开模型后才能编辑文本。</translation>
    </message>
    <message>
        <source>▲ raises the logit</source>
        <translation>▲ 提高 logit</translation>
    </message>
    <message>
        <source>▼ lowers it</source>
        <translation>▼ 降低 logit</translation>
    </message>
    <message>
        <source>%3 of %1, heads %2, from queries (left) to keys (right).</source>
        <translation>%1 中头 %2 的%3，从查询（左）到键（右）。</translation>
    </message>
    <message>
        <source>Thick: links of “%1”; bars: all its contributions, scale −1 to +1.</source>
        <translation>粗线：“%1”的连线；条形：其全部贡献，刻度 −1 到 +1。</translation>
    </message>
    <message>
        <source>%1, logit of “%2”, 1: the strongest row of the layer</source>
        <translation>%1，“%2”的 logit，1：该层最强的行</translation>
    </message>
    <message>
        <source>B−A: %1</source>
        <translation>B−A：%1</translation>
    </message>
    <message>
        <source>embedding norm</source>
        <translation>嵌入归一化</translation>
    </message>
    <message>
        <source>norm 1</source>
        <translation>归一化 1</translation>
    </message>
    <message>
        <source>cross norm</source>
        <translation>交叉归一化</translation>
    </message>
    <message>
        <source>norm 2</source>
        <translation>归一化 2</translation>
    </message>
    <message>
        <source>final norm</source>
        <translation>最终归一化</translation>
    </message>
    <message>
        <source>cross %1</source>
        <translation>交叉 %1</translation>
    </message>
    <message>
        <source>MLP</source>
        <translation>MLP</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>contribution to the logit</source>
        <translation>对 logit 的贡献</translation>
    </message>
    <message>
        <source>running sum</source>
        <translation>累计和</translation>
    </message>
    <message>
        <source>Running sum through the layers</source>
        <translation>逐层累计和</translation>
    </message>
    <message>
        <source>from the embeddings (0) to the logit</source>
        <translation>从嵌入（0）到 logit</translation>
    </message>
    <message>
        <source>%1 · %2 %</source>
        <translation>%1 · %2 %</translation>
    </message>
    <message>
        <source>%1 · actual next</source>
        <translation>%1 · 实际的下一个</translation>
    </message>
    <message>
        <source>Not defined: this head&apos;s output was replaced and does not come from tokens.</source>
        <translation>无定义：此头的输出已被替换，不来自词元。</translation>
    </message>
    <message>
        <source>Integrated from embeddings of 0: they sum to %1 where the logit rises by %2 (%3 steps).</source>
        <translation>从为 0 的嵌入开始积分：各项合计 %1，logit 则上升 %2（%3 步）。</translation>
    </message>
    <message>
        <source>The logit jumps by %1 at 0 or when routing changes; no token accounts for that.</source>
        <translation>logit 在 0 处或路由改变时跃变 %1；这不归因于任何词元。</translation>
    </message>
    <message>
        <source>gradient</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>integrated</source>
        <translation>积分梯度</translation>
    </message>
    <message>
        <source>measure</source>
        <translation>度量</translation>
    </message>
    <message>
        <source>Logit of “%1” after “%2” (%3)</source>
        <translation>“%2”（%3）之后“%1”的 logit</translation>
    </message>
    <message>
        <source>Logit of “%1” minus that of “%2” after “%3” (%4)</source>
        <translation>“%3”（%4）之后“%1”的 logit 减去“%2”的 logit</translation>
    </message>
    <message>
        <source>token embedding</source>
        <translation>词元嵌入</translation>
    </message>
    <message>
        <source>position embedding</source>
        <translation>位置嵌入</translation>
    </message>
    <message>
        <source>segment embedding</source>
        <translation>分段嵌入</translation>
    </message>
    <message>
        <source>%1 bias</source>
        <translation>%1的偏置</translation>
    </message>
    <message>
        <source>%1 bias %2</source>
        <translation>%1的偏置，层 %2</translation>
    </message>
    <message>
        <source>cross head %1.%2</source>
        <translation>交叉头 %1.%2</translation>
    </message>
    <message>
        <source>head %1.%2</source>
        <translation>头 %1.%2</translation>
    </message>
    <message>
        <source>cross bias b_O %1</source>
        <translation>交叉偏置 b_O %1</translation>
    </message>
    <message>
        <source>bias b_O %1</source>
        <translation>偏置 b_O %1</translation>
    </message>
    <message>
        <source>MLP %1</source>
        <translation>MLP %1</translation>
    </message>
    <message>
        <source>replaced by a change</source>
        <translation>由更改替换</translation>
    </message>
    <message>
        <source>replaced by a change, layer %1</source>
        <translation>由更改替换，层 %1</translation>
    </message>
    <message>
        <source>unembedding bias</source>
        <translation>反嵌入偏置</translation>
    </message>
    <message>
        <source>Contribution to the logit, scaled to the largest shown</source>
        <translation>对 logit 的贡献，按所示最大者缩放</translation>
    </message>
    <message>
        <source>logit</source>
        <translation>logit</translation>
    </message>
    <message>
        <source>Direct logit attribution, all norms frozen. %1: %2 contributions sum to %3 (the model&apos;s logit: %4).</source>
        <translation>直接 logit 归因，所有归一化均冻结。%1：%2 项贡献之和为 %3（模型的 logit：%4）。</translation>
    </message>
    <message>
        <source>Differences B−A.</source>
        <translation>差异 B−A。</translation>
    </message>
    <message>
        <source>The first %1 are drawn as bars.</source>
        <translation>前 %1 个绘成条形。</translation>
    </message>
    <message>
        <source>Logit attribution</source>
        <translation>Logit 归因</translation>
    </message>
    <message>
        <source>Not defined for a captured trace: contributions need the model&apos;s weights.</source>
        <translation>对捕获的追踪无定义：贡献需要模型的权重。</translation>
    </message>
    <message>
        <source>Not defined for this model: %1.</source>
        <translation>对此模型无定义：%1。</translation>
    </message>
    <message>
        <source>A causal test needs forward passes of a model. Open a model.</source>
        <translation>因果检验需要模型的前向传播。请打开一个模型。</translation>
    </message>
    <message>
        <source>This trace has no logits to start from.</source>
        <translation>此追踪没有可作为起点的 logit。</translation>
    </message>
    <message>
        <source>The loss covers many tokens, but a fact is one answer. Choose a logit or a logit difference.</source>
        <translation>损失涉及许多词元，而事实只有一个答案。请选择 logit 或 logit 差。</translation>
    </message>
    <message>
        <source>Resampling needs a second position to take a head&apos;s output from.</source>
        <translation>重采样需要另一个位置，以便从那里取头的输出。</translation>
    </message>
    <message>
        <source>Type a second text above with the same number of tokens and a different answer.</source>
        <translation>请在上方输入第二个文本，其词元数相同而答案不同。</translation>
    </message>
    <message>
        <source>%1 score</source>
        <translation>%1得分</translation>
    </message>
    <message>
        <source>causal effect (magnitude)</source>
        <translation>因果效应（大小）</translation>
    </message>
    <message>
        <source>%1 is not defined on this text.</source>
        <translation>%1在此文本上无定义。</translation>
    </message>
    <message>
        <source>Rank correlation is not defined: it needs three heads that differ.</source>
        <translation>秩相关无定义：需要三个有差别的头。</translation>
    </message>
    <message>
        <source>Rank correlation of score and effect: %1</source>
        <translation>得分与效应的秩相关：%1</translation>
    </message>
    <message>
        <source>Magnitude</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Magnitude of the change in the metric</source>
        <translation>指标变化的大小</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>效应</translation>
    </message>
    <message>
        <source>The metric with the head ablated minus the clean metric</source>
        <translation>消融此头后的指标减去干净运行的指标</translation>
    </message>
    <message>
        <source>Ablated</source>
        <translation>消融后</translation>
    </message>
    <message>
        <source>The metric with the head ablated</source>
        <translation>消融此头后的指标</translation>
    </message>
    <message>
        <source>restored</source>
        <translation>恢复程度</translation>
    </message>
    <message>
        <source>Restored: 0 as corrupted, 1 as clean</source>
        <translation>恢复程度：0 与损坏运行相同，1 与干净运行相同</translation>
    </message>
    <message>
        <source>metric %1, restored %2</source>
        <translation>指标 %1，恢复 %2</translation>
    </message>
    <message>
        <source>Weight from “%1” (token %2) to “%3” (token %4) patched: %5.</source>
        <translation>已修补从“%1”（词元 %2）到“%3”（词元 %4）的权重：%5。</translation>
    </message>
    <message>
        <source>%1 of head %2.%3 patched at all tokens: %4. Outlined: what that can reach.</source>
        <translation>已在所有词元处修补头 %2.%3 的%1：%4。轮廓：其可影响的范围。</translation>
    </message>
    <message>
        <source>%1 of layer %2 patched at “%3” (token %4): %5. Outlined: what that can reach.</source>
        <translation>已在“%3”（词元 %4）处修补层 %2 的%1：%5。轮廓：其可影响的范围。</translation>
    </message>
    <message>
        <source>Logit</source>
        <translation>Logit</translation>
    </message>
    <message>
        <source>Logit difference</source>
        <translation>logit 差</translation>
    </message>
    <message>
        <source>Mean loss</source>
        <translation>平均损失</translation>
    </message>
    <message>
        <source>Zero</source>
        <translation>零</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Another token</source>
        <translation>另一个词元</translation>
    </message>
    <message>
        <source>Residual stream</source>
        <translation>残差流</translation>
    </message>
    <message>
        <source>Attention output</source>
        <translation>注意力输出</translation>
    </message>
    <message>
        <source>Feed-forward output</source>
        <translation>前馈网络输出</translation>
    </message>
    <message>
        <source>Output of heads</source>
        <translation>头的输出</translation>
    </message>
    <message>
        <source>Queries of heads</source>
        <translation>头的查询</translation>
    </message>
    <message>
        <source>Keys of heads</source>
        <translation>头的键</translation>
    </message>
    <message>
        <source>Values of heads</source>
        <translation>头的值</translation>
    </message>
    <message>
        <source>Patterns of heads</source>
        <translation>头的注意力模式</translation>
    </message>
    <message>
        <source>Cells of the selected head</source>
        <translation>所选头的单元格</translation>
    </message>
    <message>
        <source>mean loss of the text in nats</source>
        <translation>文本的平均损失（奈特）</translation>
    </message>
    <message>
        <source>logit of “%1” after token %2</source>
        <translation>词元 %2 之后“%1”的 logit</translation>
    </message>
    <message>
        <source>logit of “%1” minus “%2” after token %3</source>
        <translation>词元 %3 之后“%1”的 logit 减去“%2”的 logit</translation>
    </message>
    <message>
        <source>Not defined: both texts give the same metric, %1, so there is nothing to restore.</source>
        <translation>无定义：两段文本的指标相同，为 %1，没有可恢复的内容。</translation>
    </message>
    <message>
        <source>Clean %1, corrupted %2. Select a cell.</source>
        <translation>干净运行 %1，损坏运行 %2。请选择一个单元格。</translation>
    </message>
    <message>
        <source>The answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>Layer by layer</source>
        <translation>逐层</translation>
    </message>
    <message>
        <source>%1 (token %2)</source>
        <translation>%1（词元 %2）</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>On the clean text the model predicts %1, on the corrupted one %2. The answer %3 changes from %4 (rank %5) to %6 (rank %7). The metric falls from %8 to %9.</source>
        <translation>模型对干净文本预测 %1，对损坏文本预测 %2。答案 %3 从 %4（排名 %5）变为 %6（排名 %7）。指标从 %8 降到 %9。</translation>
    </message>
    <message>
        <source>layer %1 at %2 restores %3</source>
        <translation>层 %1 在 %2 处恢复 %3</translation>
    </message>
    <message>
        <source>head %1.%2 restores %3</source>
        <translation>头 %1.%2 恢复 %3</translation>
    </message>
    <message>
        <source> and attends to %1 with weight %2</source>
        <translation>，并以权重 %2 关注 %1</translation>
    </message>
    <message>
        <source>The clean residual stream is patched in at one token of an early layer. Where the fact enters, the answer is restored:</source>
        <translation>在靠前某层的一个词元处修补为干净的残差流。在事实进入之处，答案得以恢复：</translation>
    </message>
    <message>
        <source>The same with the output of one feed-forward network:</source>
        <translation>对单个前馈网络的输出做同样的修补：</translation>
    </message>
    <message>
        <source>The same with the output of one attention layer:</source>
        <translation>对单个注意力层的输出做同样的修补：</translation>
    </message>
    <message>
        <source>The same with single heads. Those that move the fact to the end attend to it from the last token:</source>
        <translation>对单个头做同样的修补。把事实带到末尾的头，会从最后一个词元关注它：</translation>
    </message>
    <message>
        <source>Read with the final norm and the unembedding (logit lens), no layer keeps the answer at rank 1. Its probability, layer by layer: %1.</source>
        <translation>用最终归一化和反嵌入（logit 透镜）读出，没有哪一层使答案保持在第 1 位。其逐层概率：%1。</translation>
    </message>
    <message>
        <source>Read with the final norm and the unembedding (logit lens), the answer is at rank 1 after layer %1 and all later ones. Its probability, layer by layer: %2.</source>
        <translation>用最终归一化和反嵌入（logit 透镜）读出，从层 %1 起答案一直在第 1 位。其逐层概率：%2。</translation>
    </message>
    <message>
        <source>probability</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>clean</source>
        <translation>干净</translation>
    </message>
    <message>
        <source>corrupted</source>
        <translation>损坏</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>Not defined: both texts give the same metric, so there is nothing to restore.</source>
        <translation>无定义：两段文本的指标相同，没有可恢复的内容。</translation>
    </message>
    <message>
        <source>No single patch restores a tenth.</source>
        <translation>没有哪个单独的修补能恢复十分之一。</translation>
    </message>
    <message>
        <source>Each head ablated in turn (%1); the %2 is %3 with all of them. %4.</source>
        <translation>依次消融每个头（%1）；所有头都在时，%2为 %3。%4。</translation>
    </message>
    <message>
        <source>magnitude</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>effect</source>
        <translation>效应</translation>
    </message>
    <message>
        <source>Ablated heads</source>
        <translation>消融的头</translation>
    </message>
    <message>
        <source>Patched: %1</source>
        <translation>已修补：%1</translation>
    </message>
    <message>
        <source>Causal tracing: %1</source>
        <translation>因果追踪：%1</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>Flow: value-weighted norms</source>
        <translation>注意力流：值加权范数</translation>
    </message>
    <message>
        <source>Flow: gradient × attention</source>
        <translation>注意力流：梯度 × 注意力</translation>
    </message>
    <message>
        <source>Flow: integrated gradients of attention</source>
        <translation>注意力流：注意力的积分梯度</translation>
    </message>
    <message>
        <source>half the mean value-weighted norm of the heads, half the residual stream</source>
        <translation>一半为各头值加权范数的平均，一半为残差流</translation>
    </message>
    <message>
        <source>half the mean over the heads of what raises the logit of the top-1 next token, half the residual stream</source>
        <translation>一半为各头中提高 top-1 下一词元 logit 的部分的平均，一半为残差流</translation>
    </message>
    <message>
        <source>An attribution depends on the whole forward pass. Choose “Attention” or “Rollout” to trace a weight.</source>
        <translation>归因取决于整个前向传播。要追溯权重，请选择“注意力”或“Rollout”。</translation>
    </message>
    <message>
        <source>contributions that raise the logit of “%1”</source>
        <translation>提高“%1”的 logit 的贡献</translation>
    </message>
    <message>
        <source>Not defined for a captured trace: gradients need the model&apos;s weights.</source>
        <translation>对捕获的追踪无定义：梯度需要模型的权重。</translation>
    </message>
    <message>
        <source>Not defined for this model: it predicts no tokens, so there is no logit for a gradient.</source>
        <translation>对此模型无定义：它不预测词元，因此没有可求梯度的 logit。</translation>
    </message>
    <message>
        <source>The trace has no logits that can be compared.</source>
        <translation>此追踪没有可比较的 logit。</translation>
    </message>
    <message>
        <source>From the weights</source>
        <translation>由权重得出</translation>
    </message>
    <message>
        <source>On sample texts</source>
        <translation>在示例文本上</translation>
    </message>
    <message>
        <source>B−A on this text</source>
        <translation>此文本上的 B−A</translation>
    </message>
    <message>
        <source>On this text</source>
        <translation>在此文本上</translation>
    </message>
    <message>
        <source>On random repeats</source>
        <translation>在随机重复上</translation>
    </message>
    <message>
        <source>B−A: %1, up to the largest here</source>
        <translation>B−A：%1，到此处的最大值</translation>
    </message>
    <message>
        <source>%1, up to the largest here</source>
        <translation>%1，到此处的最大值</translation>
    </message>
    <message>
        <source>the weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>sample texts</source>
        <translation>示例文本</translation>
    </message>
    <message>
        <source>repeated random tokens</source>
        <translation>重复的随机词元</translation>
    </message>
    <message>
        <source>this text: B−A</source>
        <translation>此文本：B−A</translation>
    </message>
    <message>
        <source> Nearby heads behave alike on this text (Jensen-Shannon distances).</source>
        <translation> 相近的头在此文本上行为相似（Jensen-Shannon 距离）。</translation>
    </message>
    <message>
        <source>token %1, %2</source>
        <translation>词元 %1，%2</translation>
    </message>
    <message>
        <source>%1: not defined</source>
        <translation>%1：无定义</translation>
    </message>
    <message>
        <source>%1: %2 %3</source>
        <translation>%1：%2 %3</translation>
    </message>
    <message>
        <source>%1: predicts %2, probability changed by %3</source>
        <translation>%1：预测 %2，概率变化 %3</translation>
    </message>
    <message>
        <source>%1: predicts %2, probability %3</source>
        <translation>%1：预测 %2，概率 %3</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>排名</translation>
    </message>
    <message>
        <source>Log-probability</source>
        <translation>对数概率</translation>
    </message>
    <message>
        <source>KL</source>
        <translation>KL</translation>
    </message>
    <message>
        <source>The top-1 token, shaded by its probability</source>
        <translation>top-1 词元，按其概率着色</translation>
    </message>
    <message>
        <source>Probability of the target</source>
        <translation>目标的概率</translation>
    </message>
    <message>
        <source>Rank of the target; 1 is the most likely token</source>
        <translation>目标的排名；1 为最可能的词元</translation>
    </message>
    <message>
        <source>Natural logarithm of the target&apos;s probability, in nats</source>
        <translation>目标概率的自然对数，以奈特计</translation>
    </message>
    <message>
        <source>Entropy of the lens prediction in nats; 0 is certain</source>
        <translation>透镜预测的熵，以奈特计；0 为确定</translation>
    </message>
    <message>
        <source>KL divergence between the lens prediction and the model&apos;s output, in nats</source>
        <translation>透镜预测与模型输出之间的 KL 散度，以奈特计</translation>
    </message>
    <message>
        <source>B has no tuned lens of its own</source>
        <translation>B 没有自己的调谐透镜</translation>
    </message>
    <message>
        <source>A and B have different numbers of tokens or layers</source>
        <translation>A 和 B 的词元数或层数不同</translation>
    </message>
    <message>
        <source>at the embeddings</source>
        <translation>在嵌入处</translation>
    </message>
    <message>
        <source>after attention of layer %1</source>
        <translation>层 %1 的注意力之后</translation>
    </message>
    <message>
        <source>after cross-attention of layer %1</source>
        <translation>层 %1 的交叉注意力之后</translation>
    </message>
    <message>
        <source>after layer %1</source>
        <translation>层 %1 之后</translation>
    </message>
    <message>
        <source>emb.</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>%1 att.</source>
        <translation>%1 注意</translation>
    </message>
    <message>
        <source>%1 cross</source>
        <translation>%1 交叉</translation>
    </message>
    <message>
        <source>Probability of the token</source>
        <translation>词元的概率</translation>
    </message>
    <message>
        <source>B−A of the rank, shaded by its logarithm</source>
        <translation>排名的 B−A，按其对数着色</translation>
    </message>
    <message>
        <source>%1, fixed scale 0 to 1</source>
        <translation>%1，固定刻度 0 到 1</translation>
    </message>
    <message>
        <source>Rank of the target, dark: 1</source>
        <translation>目标的排名，深色：1</translation>
    </message>
    <message>
        <source>ln p of the target, from the smallest here</source>
        <translation>目标的 ln p，从此处的最小值起</translation>
    </message>
    <message>
        <source>Entropy in nats, up to ln of the vocabulary</source>
        <translation>熵（奈特），到词表大小的 ln</translation>
    </message>
    <message>
        <source>KL in nats, up to the largest here</source>
        <translation>KL（奈特），到此处的最大值</translation>
    </message>
    <message>
        <source>Prediction at each stage of the residual stream: a trained affine map, final norm and unembedding (tuned lens).</source>
        <translation>残差流每个阶段的预测：训练得到的仿射映射、最终归一化和反嵌入（调谐透镜）。</translation>
    </message>
    <message>
        <source>Prediction at each stage of the residual stream: final norm and unembedding (logit lens).</source>
        <translation>残差流每个阶段的预测：最终归一化和反嵌入（logit 透镜）。</translation>
    </message>
    <message>
        <source>Dot: top-1 token differs from A.</source>
        <translation>圆点：top-1 词元与 A 不同。</translation>
    </message>
    <message>
        <source>Tuned lens</source>
        <translation>调谐透镜</translation>
    </message>
    <message>
        <source>Logit lens</source>
        <translation>logit 透镜</translation>
    </message>
    <message>
        <source>%1, B</source>
        <translation>%1，B</translation>
    </message>
    <message>
        <source>%1, A</source>
        <translation>%1，A</translation>
    </message>
    <message>
        <source>layers passed:</source>
        <translation>经过的层数：</translation>
    </message>
    <message>
        <source>layers passed, 0: embeddings</source>
        <translation>经过的层数，0：嵌入</translation>
    </message>
    <message>
        <source>not defined</source>
        <translation>无定义</translation>
    </message>
    <message>
        <source>Target: not defined, this model has no such token.</source>
        <translation>目标：无定义，此模型没有这个词元。</translation>
    </message>
    <message>
        <source>“%1”, the model&apos;s prediction: rank %2, probability %3, ln p %4</source>
        <translation>“%1”，模型的预测：排名 %2，概率 %3，ln p %4</translation>
    </message>
    <message>
        <source>Target “%1”: rank %2, probability %3, ln p %4</source>
        <translation>目标“%1”：排名 %2，概率 %3，ln p %4</translation>
    </message>
    <message>
        <source>Entropy %1, KL from the model %2 nats</source>
        <translation>熵 %1，相对模型的 KL %2 奈特</translation>
    </message>
    <message>
        <source>Rank of the target</source>
        <translation>目标的排名</translation>
    </message>
    <message>
        <source>Entropy and KL, nats</source>
        <translation>熵和 KL，奈特</translation>
    </message>
    <message>
        <source>entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>A tuned lens adds a trained map before the unembedding. Choose the logit lens to trace a number.</source>
        <translation>调谐透镜在反嵌入之前加入训练得到的映射。要追溯数值，请选择 logit 透镜。</translation>
    </message>
    <message>
        <source>Ranks, logarithms, entropy and KL depend on the whole vocabulary. Choose “Token” or “Probability” to trace a number.</source>
        <translation>排名、对数、熵和 KL 取决于整个词表。要追溯数值，请选择“词元”或“概率”。</translation>
    </message>
    <message>
        <source>This model has no such token, so its probability is not defined.</source>
        <translation>此模型没有这个词元，因此其概率无定义。</translation>
    </message>
    <message>
        <source>Effect, %1</source>
        <translation>效应，%1</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>The %1 of %2 heads with the largest effect; without ablation the metric is %3.</source>
        <translation>效应最大的 %1 个头，共 %2 个；没有消融时，指标为 %3。</translation>
    </message>
    <message>
        <source>effect (magnitude)</source>
        <translation>效应（大小）</translation>
    </message>
    <message>
        <source>One dot per head: the score across, the magnitude of the causal effect upwards. Important heads that the score misses are at the upper left.</source>
        <translation>每个头一个圆点：横向是得分，纵向是因果效应的大小。得分没有发现的重要的头位于左上方。</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>Rank correlation</source>
        <translation>秩相关</translation>
    </message>
    <message>
        <source>Top heads by score</source>
        <translation>得分最高的头</translation>
    </message>
    <message>
        <source>Spearman&apos;s rank correlation between a score and the magnitude of the effect, over all heads: 1 means the same order, 0 no relation.</source>
        <translation>所有头的得分与效应大小之间的 Spearman 秩相关：1 表示次序相同，0 表示无关。</translation>
    </message>
    <message>
        <source>Each head ablated in turn: %1. Measured on %2: %3. The effect is the metric with the head ablated minus the clean metric.</source>
        <translation>依次消融每个头：%1。在 %2 上测量：%3。效应是消融此头后的指标减去干净运行的指标。</translation>
    </message>
    <message>
        <source>layer %1, cross-attention</source>
        <translation>层 %1，交叉注意力</translation>
    </message>
    <message>
        <source>layer %1, attention</source>
        <translation>层 %1，注意力</translation>
    </message>
    <message>
        <source>Contribution to the logit</source>
        <translation>对 logit 的贡献</translation>
    </message>
    <message>
        <source>Head ablation: scores vs. causal effects</source>
        <translation>消融注意力头：得分与因果效应</translation>
    </message>
    <message>
        <source>On the text</source>
        <translation>在文本上</translation>
    </message>
    <message>
        <source>Logit lens: where the answer appears</source>
        <translation>logit 透镜：答案在哪里出现</translation>
    </message>
    <message>
        <source>The residual stream at token %1, read after every layer as a prediction: final norm, then unembedding (nostalgebraist 2020). The target is %2, among %3 tokens.</source>
        <translation>词元 %1 处的残差流，在每一层之后读作预测：先最终归一化，再反嵌入（nostalgebraist 2020）。目标是 %2，词表共 %3 个词元。</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Top-1 token</source>
        <translation>top-1 词元</translation>
    </message>
    <message>
        <source>Its probability</source>
        <translation>其概率</translation>
    </message>
    <message>
        <source>Target&apos;s probability</source>
        <translation>目标的概率</translation>
    </message>
    <message>
        <source>Target&apos;s rank</source>
        <translation>目标的排名</translation>
    </message>
    <message>
        <source>Entropy, nats</source>
        <translation>熵，奈特</translation>
    </message>
    <message>
        <source>KL to output, nats</source>
        <translation>相对输出的 KL，奈特</translation>
    </message>
    <message>
        <source>The last row is the model&apos;s output. Half steps between attention and MLP are in the JSON form.</source>
        <translation>最后一行是模型的输出。注意力与 MLP 之间的半步见 JSON 形式。</translation>
    </message>
    <message>
        <source>Direct logit attribution: contributions to the logit</source>
        <translation>直接 logit 归因：对 logit 的贡献</translation>
    </message>
    <message>
        <source>The logit of %1 minus that of %2</source>
        <translation>%1 的 logit 减去 %2 的 logit</translation>
    </message>
    <message>
        <source>The logit of %1</source>
        <translation>%1 的 logit</translation>
    </message>
    <message>
        <source>%1 at token %2 is %3. Every addition to the residual stream contributes to it, with the norms frozen; the %4 contributions sum to %5.</source>
        <translation>词元 %2 处，%1 为 %3。加入残差流的每一项都对它有贡献，归一化均冻结；%4 项贡献之和为 %5。</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Heads of a layer are summed; bars start at 0 in the middle.</source>
        <translation>同一层的头相加；条形从中间的 0 开始。</translation>
    </message>
    <message>
        <source>Heads with the largest contributions.</source>
        <translation>贡献最大的头。</translation>
    </message>
    <message>
        <source>At token %1, %2 is not the top-1 token at any stage.</source>
        <translation>在词元 %1 处，%2 在任何阶段都不是 top-1 词元。</translation>
    </message>
    <message>
        <source>At token %1 the answer %2 (probability %3) is the top-1 token from “%4” on.</source>
        <translation>在词元 %1 处，答案 %2（概率 %3）从“%4”起是 top-1 词元。</translation>
    </message>
    <message>
        <source>%1 and %2 more, in the JSON form</source>
        <translation>%1，另有 %2 个见 JSON 形式</translation>
    </message>
    <message>
        <source>Report on %1</source>
        <translation>关于 %1 的报告</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>概要</translation>
    </message>
    <message>
        <source>Heads by role: %1.</source>
        <translation>按作用分的头：%1。</translation>
    </message>
    <message>
        <source>Ablating these heads changes the metric most (%1): %2.</source>
        <translation>消融后指标变化最大的头（%1）：%2。</translation>
    </message>
    <message>
        <source>On random repeats, which only copying can predict, the loss rises most when ablating %1.</source>
        <translation>在只有复制才能预测的随机重复上，消融以下头时损失上升最多：%1。</translation>
    </message>
    <message>
        <source>%1 of all heads give the first token more than %2 of their attention (sink rate).</source>
        <translation>所有头中有 %1 把超过 %2 的注意力给首词元（注意力汇比例）。</translation>
    </message>
    <message>
        <source>Loading the model raised warnings, listed below: %1.</source>
        <translation>加载模型时出现的警告（列于下文）：%1。</translation>
    </message>
    <message>
        <source>Architecture and load audit</source>
        <translation>架构与加载核查</translation>
    </message>
    <message>
        <source>fingerprint</source>
        <translation>指纹</translation>
    </message>
    <message>
        <source>configuration</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>Warning: %1. %2</source>
        <translation>警告：%1。%2</translation>
    </message>
    <message>
        <source>Loading raised no warnings: no parameter is missing, all numbers are finite, and heads differ.</source>
        <translation>加载时没有警告：参数无一缺失，所有数都有限，各头互不相同。</translation>
    </message>
    <message>
        <source>Language and sentence-pair heads</source>
        <translation>语言模型头和句对头</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Percentage</source>
        <translation>百分比</translation>
    </message>
    <message>
        <source>Text and tokens</source>
        <translation>文本与词元</translation>
    </message>
    <message>
        <source>Source, read by the encoder</source>
        <translation>源，由编码器读取</translation>
    </message>
    <message>
        <source>Target, read by the decoder</source>
        <translation>目标，由解码器读取</translation>
    </message>
    <message>
        <source>The text has %1 tokens more than the model accepts; they were truncated.</source>
        <translation>文本比模型可接受的多 %1 个词元；多出的部分已截断。</translation>
    </message>
    <message>
        <source>How to reproduce this report</source>
        <translation>如何重新生成此报告</translation>
    </message>
    <message>
        <source>%1 %2 s</source>
        <translation>%1 %2 秒</translation>
    </message>
    <message>
        <source>program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>attention computed on</source>
        <translation>注意力计算于</translation>
    </message>
    <message>
        <source>mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>random texts use fixed seeds of the program</source>
        <translation>随机文本的种子由程序固定</translation>
    </message>
    <message>
        <source>thresholds</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>time</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>%1 s: %2</source>
        <translation>%1 秒：%2</translation>
    </message>
    <message>
        <source>The JSON form of this report has every number in full precision. Repeated runs of the command differ only in the times.</source>
        <translation>此报告的 JSON 形式以完整精度包含每个数。重复运行命令，只有用时不同。</translation>
    </message>
    <message>
        <source>Not defined here. %1</source>
        <translation>此处无定义。%1</translation>
    </message>
    <message>
        <source>%1 Assigned where this is %2 %3: %4.</source>
        <translation>%1当它%2 %3 时给出此标签：%4。</translation>
    </message>
    <message>
        <source>at most</source>
        <translation>至多</translation>
    </message>
    <message>
        <source>at least</source>
        <translation>至少</translation>
    </message>
    <message>
        <source>Strongest first: %1.</source>
        <translation>由强到弱：%1。</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>强度</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>Scores of all heads</source>
        <translation>所有头的得分</translation>
    </message>
    <message>
        <source>Layers down, heads across, one square each; white is the low end of the scale. Measured on the %1 tokens of the text.</source>
        <translation>层向下，头向右，每个头一格；白色为刻度的低端。在文本的 %1 个词元上测得。</translation>
    </message>
    <message>
        <source>Sink rate (Gu et al. 2024): %1 of the heads give the first token on average more than %2 of their attention.</source>
        <translation>注意力汇比例（Gu et al. 2024）：%1 的头平均把超过 %2 的注意力给首词元。</translation>
    </message>
    <message>
        <source>On the probe</source>
        <translation>在探测文本上</translation>
    </message>
    <message>
        <source>The mean over %1 sequences of %2 random tokens, each shown twice; prefix matching over %3 sequences of %4 tokens shown four times. The tokens are sampled with a fixed seed.</source>
        <translation>对 %1 个序列取平均，每个为重复两遍的 %2 个随机词元；前缀匹配取自 %3 个序列，每个为重复四遍的 %4 个词元。词元以固定种子采样。</translation>
    </message>
    <message>
        <source>Roles of heads, with evidence</source>
        <translation>头的作用及其依据</translation>
    </message>
    <message>
        <source>A head may have several labels, or none. They come from %1, not from the typed text, and describe behaviour, not importance: see the ablated heads for that.</source>
        <translation>一个头可以有多个标签，也可以没有。标签来自%1，而非输入的文本；它们描述行为，而非重要性：重要性见消融的头。</translation>
    </message>
    <message>
        <source>Not measured here. %1</source>
        <translation>此处未测量。%1</translation>
    </message>
    <message>
        <source>Appendix: the scores in numbers</source>
        <translation>附录：得分的数值</translation>
    </message>
    <message>
        <source>On random repeats, sample sentences and weights</source>
        <translation>在随机重复、示例句子和权重上</translation>
    </message>
    <message>
        <source>Definitions</source>
        <translation>定义</translation>
    </message>
    <message>
        <source>%1: %2 (%3)</source>
        <translation>%1：%2（%3）</translation>
    </message>
    <message>
        <source>Every other score is in the JSON form of this report.</source>
        <translation>其余得分见此报告的 JSON 形式。</translation>
    </message>
    <message>
        <source>%1, 0 to the largest</source>
        <translation>%1，0 到最大值</translation>
    </message>
    <message>
        <source>fixed, %1 to %2</source>
        <translation>固定，%1 到 %2</translation>
    </message>
    <message>
        <source>around 0, to the largest</source>
        <translation>以 0 为中心，到最大值</translation>
    </message>
    <message>
        <source>This model predicts no tokens, so there is no answer to restore. Its heads can be ablated.</source>
        <translation>此模型不预测词元，因此没有可恢复的答案。可以消融它的头。</translation>
    </message>
    <message>
        <source>cosine distance of the final hidden states, mean over the tokens</source>
        <translation>最终隐藏状态的余弦距离，对词元取平均</translation>
    </message>
    <message>
        <source>Sinusoidal</source>
        <translation>正弦</translation>
    </message>
    <message>
        <source>Learned</source>
        <translation>可学习</translation>
    </message>
    <message>
        <source>RoPE</source>
        <translation>RoPE</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>T5</source>
        <translation>T5</translation>
    </message>
    <message>
        <source>Adds sines and cosines</source>
        <translation>加上正弦和余弦</translation>
    </message>
    <message>
        <source>Rotates queries and keys</source>
        <translation>旋转查询和键</translation>
    </message>
    <message>
        <source>Lowers the scores of distant keys</source>
        <translation>降低远处键的得分</translation>
    </message>
    <message>
        <source>Adds a learned bias per distance bucket</source>
        <translation>每个距离桶加一个学到的偏置</translation>
    </message>
    <message>
        <source>Positions are indistinguishable</source>
        <translation>无法区分位置</translation>
    </message>
    <message>
        <source>Relative</source>
        <translation>相对</translation>
    </message>
    <message>
        <source>Loss by size</source>
        <translation>损失随规模的变化</translation>
    </message>
    <message>
        <source>ahead</source>
        <translation>向后</translation>
    </message>
    <message>
        <source>A and B have different numbers of tokens, layers or heads: there is no B−A. Look at A or B alone.</source>
        <translation>A 和 B 的词元数、层数或头数不同，因此没有 B−A。请单独查看 A 或 B。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Open model, session or text…</source>
        <translation>打开模型、会话或文本(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>打开最近文件(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save session</source>
        <translation>保存会话(&amp;S)</translation>
    </message>
    <message>
        <source>Save session &amp;as…</source>
        <translation>会话另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Export view…</source>
        <translation>导出视图(&amp;E)…</translation>
    </message>
    <message>
        <source>Export &amp;numbers…</source>
        <translation>导出数值(&amp;N)…</translation>
    </message>
    <message>
        <source>&amp;Write a report…</source>
        <translation>编写报告(&amp;W)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Edit the &amp;sentence</source>
        <translation>编辑句子(&amp;S)</translation>
    </message>
    <message>
        <source>Edit the &amp;token…</source>
        <translation>编辑词元(&amp;T)…</translation>
    </message>
    <message>
        <source>Copy &amp;image</source>
        <translation>复制图像(&amp;I)</translation>
    </message>
    <message>
        <source>Copy &amp;numbers</source>
        <translation>复制数值(&amp;N)</translation>
    </message>
    <message>
        <source>Copy &amp;caption</source>
        <translation>复制说明(&amp;C)</translation>
    </message>
    <message>
        <source>Se&amp;ttings…</source>
        <translation>设置(&amp;T)…</translation>
    </message>
    <message>
        <source>%1 pages</source>
        <translation>%1页面</translation>
    </message>
    <message>
        <source>Pre&amp;vious page</source>
        <translation>上一个页面(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>Next layer</source>
        <translation>下一层</translation>
    </message>
    <message>
        <source>Previous layer</source>
        <translation>上一层</translation>
    </message>
    <message>
        <source>Next head</source>
        <translation>下一个头</translation>
    </message>
    <message>
        <source>Previous head</source>
        <translation>上一个头</translation>
    </message>
    <message>
        <source>Next query token</source>
        <translation>下一个查询词元</translation>
    </message>
    <message>
        <source>Previous query token</source>
        <translation>上一个查询词元</translation>
    </message>
    <message>
        <source>Next key token</source>
        <translation>下一个键词元</translation>
    </message>
    <message>
        <source>Previous key token</source>
        <translation>上一个键词元</translation>
    </message>
    <message>
        <source>Follow the last token</source>
        <translation>跟随最后一个词元</translation>
    </message>
    <message>
        <source>&amp;Trace this number to its origin</source>
        <translation>追溯此数的来源(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Step through this head</source>
        <translation>逐步计算此头(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>后退(&amp;B)</translation>
    </message>
    <message>
        <source>For&amp;ward</source>
        <translation>前进(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Tokens</source>
        <translation>词元(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Pieces, as the model reads them</source>
        <translation>片段，如模型所读(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Words, weights summed</source>
        <translation>词，权重求和(&amp;W)</translation>
    </message>
    <message>
        <source>Words, weights &amp;averaged</source>
        <translation>词，权重平均(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Hide special tokens (renormalise)</source>
        <translation>隐藏特殊词元（重新归一化）(&amp;H)</translation>
    </message>
    <message>
        <source>Hide &amp;first token (renormalise)</source>
        <translation>隐藏首词元（重新归一化）(&amp;F)</translation>
    </message>
    <message>
        <source>Show &amp;ids and bytes</source>
        <translation>显示编号和字节(&amp;I)</translation>
    </message>
    <message>
        <source>T&amp;heme</source>
        <translation>主题(&amp;H)</translation>
    </message>
    <message>
        <source>Follow system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Attention &amp;colours</source>
        <translation>注意力颜色(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Inspector</source>
        <translation>检查器(&amp;I)</translation>
    </message>
    <message>
        <source>P&amp;resenter mode</source>
        <translation>演示模式(&amp;R)</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>全屏(&amp;U)</translation>
    </message>
    <message>
        <source>Reset la&amp;yout</source>
        <translation>重置布局(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;Choose a model</source>
        <translation>选择模型(&amp;C)</translation>
    </message>
    <message>
        <source>Open a model &amp;file…</source>
        <translation>打开模型文件(&amp;F)…</translation>
    </message>
    <message>
        <source>Open a model fo&amp;lder…</source>
        <translation>打开模型文件夹(&amp;L)…</translation>
    </message>
    <message>
        <source>&amp;Get a model…</source>
        <translation>获取模型(&amp;G)…</translation>
    </message>
    <message>
        <source>&amp;About this model…</source>
        <translation>关于此模型(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Device</source>
        <translation>设备(&amp;D)</translation>
    </message>
    <message>
        <source>Automatic (faster device)</source>
        <translation>自动（较快的设备）</translation>
    </message>
    <message>
        <source>Measured once on this machine</source>
        <translation>在本机测量一次</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>Remove causal &amp;mask in B</source>
        <translation>在 B 中去掉因果掩码(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Reset all changes in B</source>
        <translation>重置 B 中的所有更改(&amp;R)</translation>
    </message>
    <message>
        <source>T&amp;raining</source>
        <translation>训练(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;New run…</source>
        <translation>新建训练运行(&amp;N)…</translation>
    </message>
    <message>
        <source>New run with &amp;all settings…</source>
        <translation>用全部设置新建训练运行(&amp;A)…</translation>
    </message>
    <message>
        <source>Run &amp;one step</source>
        <translation>运行一步(&amp;O)</translation>
    </message>
    <message>
        <source>Sto&amp;p and close training run</source>
        <translation>停止并关闭训练运行(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Save a checkpoint</source>
        <translation>保存检查点(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Follow latest weights</source>
        <translation>跟随最新权重(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Learn</source>
        <translation>学习(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Next step</source>
        <translation>下一步(&amp;N)</translation>
    </message>
    <message>
        <source>P&amp;revious step</source>
        <translation>上一步(&amp;R)</translation>
    </message>
    <message>
        <source>Lesson about this &amp;page</source>
        <translation>关于此页面的课(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Add current view as a step</source>
        <translation>将当前视图添加为步骤(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Open a lesson…</source>
        <translation>打开一课(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Save your lesson…</source>
        <translation>保存你的课(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Go to anything</source>
        <translation>转到任意处(&amp;G)</translation>
    </message>
    <message>
        <source>Guided &amp;tour</source>
        <translation>导览(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;What’s this?</source>
        <translation>这是什么(&amp;W)？</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About Headscope</source>
        <translation>关于 Headscope(&amp;A)</translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation>关于 Qt(&amp;Q)</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>dim %1</source>
        <translation>维度 %1</translation>
    </message>
    <message>
        <source>%1 of %2 dimensions</source>
        <translation>%2 维中的 %1 维</translation>
    </message>
    <message>
        <source>Waves</source>
        <translation>波形</translation>
    </message>
    <message>
        <source>position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>All %1 dimensions</source>
        <translation>全部 %1 维</translation>
    </message>
    <message>
        <source>scaled to this matrix</source>
        <translation>按此矩阵缩放</translation>
    </message>
    <message>
        <source>fixed scale</source>
        <translation>固定刻度</translation>
    </message>
    <message>
        <source>0 everywhere: all positions are identical</source>
        <translation>处处为 0：所有位置都相同</translation>
    </message>
    <message>
        <source>dot product, with itself %1</source>
        <translation>点积，与自身为 %1</translation>
    </message>
    <message>
        <source>dot product, at k = %1: %2 of %3</source>
        <translation>点积，k = %1 处：%2，自身为 %3</translation>
    </message>
    <message>
        <source>Similarity to p</source>
        <translation>与 p 的相似度</translation>
    </message>
    <message>
        <source>Cross</source>
        <translation>交叉</translation>
    </message>
    <message>
        <source>Self</source>
        <translation>自注意力</translation>
    </message>
    <message>
        <source>%1: no head attends to another token</source>
        <translation>%1：没有注意力头关注其他词元</translation>
    </message>
    <message>
        <source>%1: no difference to show</source>
        <translation>%1：没有可显示的差异</translation>
    </message>
    <message>
        <source>%1 forward passes, less than 0.1 s</source>
        <translation>%1 次前向传播，不到 0.1 秒</translation>
    </message>
    <message>
        <source>%1 forward passes, about %2 s</source>
        <translation>%1 次前向传播，约 %2 秒</translation>
    </message>
    <message>
        <source>%1 of %2 pairs: %3 % of the cost of full attention</source>
        <translation>%2 对中的 %1 对：完整注意力开销的 %3 %</translation>
    </message>
    <message>
        <source>“%1” is written attending most to “%2” (position %3), weight %4</source>
        <translation>生成“%1”时最关注“%2”（位置 %3），权重 %4</translation>
    </message>
    <message>
        <source>Head %1: “%2” attends to “%3” (%4).</source>
        <translation>注意力头 %1：“%2”关注“%3”（%4）。</translation>
    </message>
    <message>
        <source>Change “%1” to “%2”</source>
        <translation>把“%1”改成“%2”</translation>
    </message>
    <message>
        <source>Ablate this head</source>
        <translation>消融这个注意力头</translation>
    </message>
    <message>
        <source>Train a model and watch a head form (30 s)</source>
        <translation>训练一个模型，观察注意力头如何形成（30 秒）</translation>
    </message>
    <message>
        <source>Change one word and compare the map and the next token. Ctrl+Z undoes it.</source>
        <translation>改动一个词，比较注意力图和下一个词元。按 Ctrl+Z 撤销。</translation>
    </message>
    <message>
        <source>Replace the output of head %1 by zero and show B−A. Ctrl+Z undoes it.</source>
        <translation>把注意力头 %1 的输出替换为零并显示 B−A。按 Ctrl+Z 撤销。</translation>
    </message>
    <message>
        <source>Train a small model on repeated symbols until an induction head forms. Ctrl+Z stops the run and returns to this model.</source>
        <translation>用重复的符号训练一个小模型，直到形成归纳头。按 Ctrl+Z 停止训练并回到当前模型。</translation>
    </message>
    <message>
        <source>Tokens: choose a query</source>
        <translation>词元：选择一个查询</translation>
    </message>
    <message>
        <source>Heads: choose one</source>
        <translation>注意力头：选择一个</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>浅色主题</translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation>深色主题</translation>
    </message>
    <message>
        <source>B−A, query “%1” to key “%2”: %3</source>
        <translation>B−A，查询“%1”到键“%2”：%3</translation>
    </message>
    <message>
        <source>Query “%1” attends to key “%2”: %3</source>
        <translation>查询“%1”关注键“%2”：%3</translation>
    </message>
    <message>
        <source>Key “%2” is masked for query “%1”</source>
        <translation>键“%2”对查询“%1”被屏蔽</translation>
    </message>
    <message>
        <source>B−A by key, query “%1”</source>
        <translation>按键的 B−A，查询“%1”</translation>
    </message>
    <message>
        <source>Query “%1” attends to</source>
        <translation>查询“%1”关注</translation>
    </message>
    <message>
        <source>and %1 more keys with less</source>
        <translation>以及另外 %1 个权重更小的键</translation>
    </message>
    <message>
        <source>Arrow keys move the cell, Enter selects the largest weight, Page Up and Page Down change the layer, with Shift the head.</source>
        <translation>方向键移动单元格，Enter 选择最大的权重，Page Up 和 Page Down 切换层，加 Shift 切换注意力头。</translation>
    </message>
    <message>
        <source>The page as it was shared</source>
        <translation>分享时的页面</translation>
    </message>
    <message>
        <source>This text has no attention patterns to explore.</source>
        <translation>这段文本没有可浏览的注意力模式。</translation>
    </message>
    <message>
        <source>Contains %1 of %2 heads; weights are rounded to within %3. A shared page has at most %4 MB.</source>
        <translation>包含 %2 个注意力头中的 %1 个；权重的舍入误差不超过 %3。分享的页面最大 %4 MB。</translation>
    </message>
    <message>
        <source>en</source>
        <translation>zh-CN</translation>
    </message>
    <message>
        <source>The map to explore needs JavaScript; the figure does not.</source>
        <translation>可浏览的图需要 JavaScript；图片则不需要。</translation>
    </message>
    <message>
        <source>Contains the session: open this file in Headscope to continue from here.</source>
        <translation>内含会话：在 Headscope 中打开此文件即可从这里继续。</translation>
    </message>
    <message>
        <source>Induction passed %1 at step %2 (head %3)</source>
        <translation>归纳分数在第 %2 步超过 %1（注意力头 %3）</translation>
    </message>
    <message>
        <source>S&amp;hare as a page…</source>
        <translation>分享为页面(&amp;H)…</translation>
    </message>
    <message>
        <source>Manual of this &amp;page</source>
        <translation>此页面的手册(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>手册(&amp;M)</translation>
    </message>
    <message>
        <source>Things to t&amp;ry</source>
        <translation>可以尝试(&amp;R)</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>Ablated minus clean metric</source>
        <translation>消融后的指标减去干净运行的指标</translation>
    </message>
    <message>
        <source>Replace files</source>
        <translation>替换文件</translation>
    </message>
    <message>
        <source>This file already exists. Replace it?</source>
        <translation>此文件已存在。要替换它吗？</translation>
    </message>
    <message>
        <source>These files already exist. Replace them?</source>
        <translation>这些文件已存在。要替换它们吗？</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>%1 earlier</source>
        <translation>另有 %1 个较早的</translation>
    </message>
    <message>
        <source>cut by k</source>
        <translation>被 k 截去</translation>
    </message>
    <message>
        <source>cut by p</source>
        <translation>被 p 截去</translation>
    </message>
    <message>
        <source>not largest</source>
        <translation>非最大</translation>
    </message>
    <message>
        <source>÷ %1</source>
        <translation>÷ %1</translation>
    </message>
    <message>
        <source>greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <source>softmax of the logits, A above B</source>
        <translation>logit 的 softmax，A 在 B 之上</translation>
    </message>
    <message>
        <source>softmax of the logits</source>
        <translation>logit 的 softmax</translation>
    </message>
    <message>
        <source>B−A</source>
        <translation>B−A</translation>
    </message>
    <message>
        <source>scaled, truncated, renormalised</source>
        <translation>缩放、截断并重新归一化</translation>
    </message>
    <message>
        <source>sampling p</source>
        <translation>采样概率</translation>
    </message>
    <message>
        <source>%1: logit %2, divided by the temperature %3, softmax %4</source>
        <translation>%1：logit %2，除以温度为 %3，softmax %4</translation>
    </message>
    <message>
        <source>0: greedy</source>
        <translation>0：贪心</translation>
    </message>
    <message>
        <source>, in A %1</source>
        <translation>，A 中为 %1</translation>
    </message>
    <message>
        <source>, sampling probability %1</source>
        <translation>，采样概率 %1</translation>
    </message>
    <message>
        <source>0: %1</source>
        <translation>0：%1</translation>
    </message>
    <message>
        <source>Prediction at %1 “%2”</source>
        <translation>位置 %1“%2”处的预测</translation>
    </message>
    <message>
        <source>Next token after “%1”</source>
        <translation>“%1”之后的下一词元</translation>
    </message>
    <message>
        <source>The most likely tokens: logits, probabilities on the fixed scale 0 to 1, and the sampling distribution with temperature %1, top-k %2 and top-p %3. Entropy %4 of %5 bits.</source>
        <translation>最可能的词元：logit、固定刻度 0 到 1 上的概率，以及温度为 %1、top-k 为 %2、top-p 为 %3 时的采样分布。熵为 %4 比特，最大为 %5 比特。</translation>
    </message>
    <message>
        <source>%1 = %2: %3. Operands by magnitude; bars are terms of the sum.</source>
        <translation>%1 = %2：%3。运算数按大小排列；条形为和中的各项。</translation>
    </message>
    <message>
        <source>Expert load</source>
        <translation>专家负载</translation>
    </message>
    <message>
        <source>layer.expert, fraction of all choices; even: %1</source>
        <translation>层.专家，占全部选择的比例；均匀：%1</translation>
    </message>
    <message>
        <source>; the %1 highest of %2</source>
        <translation>；%2 个中最高的 %1 个</translation>
    </message>
    <message>
        <source>%1: logit %2, softmax %3</source>
        <translation>%1：logit %2，softmax %3</translation>
    </message>
    <message>
        <source>The most likely tokens at this position: logits, and probabilities on the fixed scale 0 to 1. Entropy %1 of %2 bits.</source>
        <translation>此位置最可能的词元：logit，以及固定刻度 0 到 1 上的概率。熵为 %1 比特，最大 %2 比特。</translation>
    </message>
    <message>
        <source>&amp;Mask or unmask the token</source>
        <translation>遮住或恢复词元(&amp;M)</translation>
    </message>
    <message>
        <source>Without residual connections each sublayer replaces the stream (grey line). Dashed boxes have no weights.</source>
        <translation>没有残差连接时，每个子层都取代残差流（灰线）。虚线框没有权重。</translation>
    </message>
    <message>
        <source>Mean ± standard deviation over %1 seeds</source>
        <translation>%1 个种子的均值 ± 标准差</translation>
    </message>
    <message>
        <source>%1 seeds</source>
        <translation>%1 个种子</translation>
    </message>
    <message>
        <source>Residual connections</source>
        <translation>残差连接</translation>
    </message>
    <message>
        <source>past attention and feed-forward</source>
        <translation>绕过注意力和前馈网络</translation>
    </message>
    <message>
        <source>bias</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>−%1 to +%1</source>
        <translation>−%1 到 +%1</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Weight of B minus A</source>
        <translation>B 减 A 的权重</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1, largest of each %2 × %3 block, %4</source>
        <translation>%1，每个 %2 × %3 块中绝对值最大者，%4</translation>
    </message>
    <message>
        <source>Column %1</source>
        <translation>第 %1 列</translation>
    </message>
    <message>
        <source>%1 · “%2”</source>
        <translation>%1 · “%2”</translation>
    </message>
    <message>
        <source>%1, %2 × %3</source>
        <translation>%1，%2 × %3</translation>
    </message>
    <message>
        <source>%1 heads of %2 %3</source>
        <translation>%1 个头，每个 %2 %3</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>stored as %1: an edited copy has 32-bit floats (%2 MB)</source>
        <translation>以 %1 存储：编辑后的副本为 32 位浮点数（%2 MB）</translation>
    </message>
    <message>
        <source>“Near the row” shows every weight</source>
        <translation>“该行附近”显示每一个权重</translation>
    </message>
    <message>
        <source>Length %1, mean %2; largest %3 in row %4.</source>
        <translation>长度 %1，均值 %2；绝对值最大为第 %4 行的 %3。</translation>
    </message>
    <message>
        <source>Length %1, mean %2; largest %3 in column %4.</source>
        <translation>长度 %1，均值 %2；绝对值最大为第 %4 列的 %3。</translation>
    </message>
    <message>
        <source>Largest %1, smallest %2. %3 of %4 hold 90 % of the sum of squares.</source>
        <translation>最大 %1，最小 %2。%4 个中的 %3 个占平方和的 90 %。</translation>
    </message>
    <message>
        <source>Weights: %1</source>
        <translation>权重：%1</translation>
    </message>
    <message>
        <source>%1. Rows are inputs and columns outputs, as in y = x W. %2.</source>
        <translation>%1。行为输入，列为输出，即 y = x W。%2。</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>head %1 of %2</source>
        <translation>%2 的头 %1</translation>
    </message>
    <message>
        <source>%1, row %2, column %3</source>
        <translation>%1 第 %2 行第 %3 列</translation>
    </message>
    <message>
        <source>%1, row %2</source>
        <translation>%1 第 %2 行</translation>
    </message>
    <message>
        <source>%1, column %2</source>
        <translation>%1 第 %2 列</translation>
    </message>
    <message>
        <source>set to 0</source>
        <translation>设为 0</translation>
    </message>
    <message>
        <source>times %1</source>
        <translation>乘以 %1</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>取自 %1</translation>
    </message>
    <message>
        <source>set to %1</source>
        <translation>设为 %1</translation>
    </message>
    <message>
        <source>%n new values</source>
        <translation>%n 个新值</translation>
    </message>
    <message>
        <source>heads %1 and %2 of %3 swapped</source>
        <translation>交换 %3 的头 %1 和 %2</translation>
    </message>
    <message>
        <source>the mean value-weighted norm of the heads</source>
        <translation>各头的平均值加权范数</translation>
    </message>
    <message>
        <source>the mean over the heads of what raises the logit of the top-1 next token</source>
        <translation>使 top-1 下一词元的 logit 升高的部分，取各头平均</translation>
    </message>
    <message>
        <source>%1 (the model has no residual connections)</source>
        <translation>%1（模型没有残差连接）</translation>
    </message>
    <message>
        <source>no residual connections, so attention alone</source>
        <translation>没有残差连接，因此只有注意力</translation>
    </message>
    <message>
        <source>the template’s tokens</source>
        <translation>模板的词元</translation>
    </message>
    <message>
        <source>%1 and the template’s tokens</source>
        <translation>%1和模板的词元</translation>
    </message>
    <message>
        <source> · %1 of all attention hidden with %2, %3</source>
        <translation> · 全部注意力的 %1 随%2隐藏，%3</translation>
    </message>
    <message>
        <source>%1; without %2</source>
        <translation>%1；不含%2</translation>
    </message>
    <message>
        <source>template hidden</source>
        <translation>隐藏模板</translation>
    </message>
    <message>
        <source>without %1, %2</source>
        <translation>不含%1，%2</translation>
    </message>
    <message>
        <source>rows renormalised</source>
        <translation>各行已重新归一化</translation>
    </message>
    <message>
        <source>rows sum to less than 1</source>
        <translation>各行之和小于 1</translation>
    </message>
    <message>
        <source>Hidden: %1, %2 % of the attention; weights are as computed, so rows sum to less than 1.</source>
        <translation>已隐藏：%1，占注意力的 %2 %；权重保持计算结果，因此各行之和小于 1。</translation>
    </message>
    <message>
        <source>%1 % hidden with %2, %3</source>
        <translation>%1 % 随%2隐藏，%3</translation>
    </message>
    <message>
        <source>%1 hidden, %2</source>
        <translation>已隐藏%1，%2</translation>
    </message>
    <message>
        <source>A captured trace is read-only.</source>
        <translation>捕获的轨迹是只读的。</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>没有打开模型。</translation>
    </message>
    <message>
        <source>Chats are for decoders, which this model is not.</source>
        <translation>对话只适用于解码器，而该模型不是解码器。</translation>
    </message>
    <message>
        <source>This model has no chat template. Open the instruct version of the model.</source>
        <translation>该模型没有对话模板。请打开该模型的指令版本。</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>C&amp;hat in place of the sentence</source>
        <translation>以对话代替句子(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Add a turn to the chat</source>
        <translation>为对话添加一轮(&amp;A)</translation>
    </message>
    <message>
        <source>Write the reply of the m&amp;odel</source>
        <translation>写出模型的回复(&amp;O)</translation>
    </message>
    <message>
        <source>F&amp;old template tokens</source>
        <translation>折叠模板词元(&amp;O)</translation>
    </message>
    <message>
        <source>JS</source>
        <translation>JS</translation>
    </message>
    <message>
        <source>Jensen-Shannon divergence of the patterns of A and B, mean over the queries, in bits: 0 equal, 1 disjoint. The weight of an attention sink counts as one more key.</source>
        <translation>A 与 B 的注意力模式的 Jensen-Shannon 散度，对查询取平均，单位为比特：0 相同，1 不相交。注意力汇点的权重算作另一个键。</translation>
    </message>
    <message>
        <source>Largest divergence of one query&apos;s row, in bits</source>
        <translation>单个查询行的最大散度（比特）</translation>
    </message>
    <message>
        <source>Kullback-Leibler divergence KL(A || B) of the next-token predictions after this token, in bits: 0 equal</source>
        <translation>此词元之后下一词元预测的 Kullback-Leibler 散度 KL(A || B)，单位为比特：0 相同</translation>
    </message>
    <message>
        <source>relative</source>
        <translation>相对</translation>
    </message>
    <message>
        <source>Frobenius norm of B − A divided by that of A</source>
        <translation>B − A 的 Frobenius 范数除以 A 的范数</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>范数</translation>
    </message>
    <message>
        <source>Frobenius norm of B − A</source>
        <translation>B − A 的 Frobenius 范数</translation>
    </message>
    <message>
        <source>Jensen-Shannon divergence of patterns, bits</source>
        <translation>注意力模式的 Jensen-Shannon 散度（比特）</translation>
    </message>
    <message>
        <source>%1; %2 heads have no counterpart</source>
        <translation>%1；%2 个头没有对应</translation>
    </message>
    <message>
        <source>KL(A || B) after each token, mean %1 bits; top-1 token of A → of B</source>
        <translation>每个词元之后的 KL(A || B)，平均 %1 比特；A → B 的最可能词元</translation>
    </message>
    <message>
        <source>norm of B − A relative to A</source>
        <translation>B − A 相对于 A 的范数</translation>
    </message>
    <message>
        <source>%1; %2 matrices have no counterpart of the same size</source>
        <translation>%1；%2 个矩阵没有大小相同的对应</translation>
    </message>
    <message>
        <source>What moved from A to B</source>
        <translation>从 A 到 B 的变化</translation>
    </message>
    <message>
        <source>Heads: Jensen-Shannon divergence of their patterns, mean over the queries, in bits. Tokens: KL(A || B) of the next-token predictions, in bits. Matrices: Frobenius norm of B − A divided by that of A. Bars of one list share a scale.</source>
        <translation>头：注意力模式的 Jensen-Shannon 散度，对查询取平均，单位为比特。词元：下一词元预测的 KL(A || B)，单位为比特。矩阵：B − A 的 Frobenius 范数除以 A 的范数。同一列表的条形使用相同的刻度。</translation>
    </message>
    <message>
        <source>Matrices</source>
        <translation>矩阵</translation>
    </message>
    <message>
        <source>series</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>%1 checkpoints, %2</source>
        <translation>%1 个检查点，%2</translation>
    </message>
    <message>
        <source>Checkpoints up to step %1: scores of heads, and the attention of the shown weights on a fixed scale from 0 to 1. %2</source>
        <translation>直到第 %1 步的检查点：注意力头的分数，以及所示权重的注意力（固定刻度 0 到 1）。%2</translation>
    </message>
    <message>
        <source>LoRA</source>
        <translation>LoRA</translation>
    </message>
    <message>
        <source>step %1 of %2, back to the newest</source>
        <translation>第 %1 步，共 %2 步，回到最新</translation>
    </message>
    <message>
        <source>Checkpoints of another program</source>
        <translation>其他程序的检查点</translation>
    </message>
    <message>
        <source>These checkpoints were trained by another program. They are only read.</source>
        <translation>这些检查点由其他程序训练，在此只读。</translation>
    </message>
    <message>
        <source>&amp;Precision of weights</source>
        <translation>权重精度(&amp;P)</translation>
    </message>
    <message>
        <source>As the model has them</source>
        <translation>与模型一致</translation>
    </message>
    <message>
        <source>Rounded to float16</source>
        <translation>舍入为 float16</translation>
    </message>
    <message>
        <source>Half the memory to read; About this model says what it changes</source>
        <translation>读取的内存减半；“关于此模型”说明结果有何变化</translation>
    </message>
    <message>
        <source>Rounded to bfloat16</source>
        <translation>舍入为 bfloat16</translation>
    </message>
    <message>
        <source>As float16, with fewer digits and any magnitude</source>
        <translation>与 float16 类似，位数更少，但数值范围不受限</translation>
    </message>
    <message>
        <source>%1; weights rounded to float16</source>
        <translation>%1；权重舍入为 float16</translation>
    </message>
    <message>
        <source>%1; weights rounded to bfloat16</source>
        <translation>%1；权重舍入为 bfloat16</translation>
    </message>
    <message>
        <source>%1 of 1 line aligned</source>
        <translation>1 行中有 %1 行对齐</translation>
    </message>
    <message>
        <source>%1 of %2 lines aligned</source>
        <translation>%2 行中有 %1 行对齐</translation>
    </message>
    <message>
        <source>1 prediction differs</source>
        <translation>1 个预测不同</translation>
    </message>
    <message>
        <source>%1 predictions differ</source>
        <translation>%1 个预测不同</translation>
    </message>
    <message>
        <source> The column on the right is the attention sink: a row and its sink sum to 1.</source>
        <translation>右侧的列是注意力汇点：每行与其汇点之和为 1。</translation>
    </message>
    <message>
        <source> The column on the right is the attention sink.</source>
        <translation>右侧的列是注意力汇点。</translation>
    </message>
    <message>
        <source>with the attention sink as a column on the right</source>
        <translation>右侧的列为注意力汇点</translation>
    </message>
    <message>
        <source>&amp;Find in the text…</source>
        <translation>在文本中查找(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Repeat a sentence at the end</source>
        <translation>在文末重复一句(&amp;R)</translation>
    </message>
    <message>
        <source>Weights are renormalised without attention sinks.</source>
        <translation>权重已在去掉注意力汇点后重新归一化。</translation>
    </message>
    <message>
        <source>Weights are renormalised without attention sinks, which take %1 % of the attention.</source>
        <translation>注意力汇点占注意力的 %1 %；权重已在去掉它们后重新归一化。</translation>
    </message>
    <message>
        <source>The paths of %1 tokens need %2 GiB of memory, more than this page uses. Shorten the text.</source>
        <translation>%1 个词元的路径需要 %2 GiB 内存，超过此页所用的上限。请缩短文本。</translation>
    </message>
    <message>
        <source>Not in the curves: %1.</source>
        <translation>曲线不含：%1。</translation>
    </message>
    <message>
        <source>an intervention replaces it with %1</source>
        <translation>干预将其替换为 %1</translation>
    </message>
    <message>
        <source>%1 % on attention sinks</source>
        <translation>%1 % 在注意力汇点上</translation>
    </message>
    <message>
        <source>attention sink</source>
        <translation>注意力汇点</translation>
    </message>
    <message>
        <source>A score measures how well a key matches a query: the better the match, the higher the score.</source>
        <translation>得分衡量键与查询的匹配程度：越匹配，得分越高。</translation>
    </message>
    <message>
        <source>Long vectors give large scores. Dividing by the square root of their length keeps the scores in a range where the softmax does not saturate.</source>
        <translation>长向量会产生大的得分。除以其长度的平方根，可使得分保持在 softmax 不饱和的范围内。</translation>
    </message>
    <message>
        <source>A hidden key must get no weight. Its score becomes −∞, because e to the power of −∞ is 0.</source>
        <translation>被隐藏的键不应得到权重。其得分变为 −∞，因为 e 的 −∞ 次幂是 0。</translation>
    </message>
    <message>
        <source>Subtracting the largest score changes no weight, but keeps the exponentials from overflowing.</source>
        <translation>减去最大的得分不改变任何权重，但可避免指数溢出。</translation>
    </message>
    <message>
        <source>The exponential makes every number positive, and turns a small lead in score into a large lead in weight.</source>
        <translation>指数使每个数都为正，并把得分上的小幅领先变成权重上的大幅领先。</translation>
    </message>
    <message>
        <source>Divided by their sum, the numbers of a row add up to 1. They are attention weights.</source>
        <translation>除以总和之后，一行的数之和为 1。它们是注意力权重。</translation>
    </message>
    <message>
        <source>Divided by their sum, the numbers of a row add up to 1. They are probabilities.</source>
        <translation>除以总和之后，一行的数之和为 1。它们是概率。</translation>
    </message>
    <message>
        <source>The output is a weighted average of the values: each value counts as much as its token is attended to.</source>
        <translation>输出是各个值的加权平均：词元得到多少关注，其值就占多少。</translation>
    </message>
    <message>
        <source>Each value is multiplied by its weight.</source>
        <translation>每个值所占的比重就是它的权重。</translation>
    </message>
    <message>
        <source>A dictionary returns one value. Attention returns a weighted average of all.</source>
        <translation>词典返回一个值。注意力返回所有值的加权平均。</translation>
    </message>
    <message>
        <source>Each head uses its own slice of every vector.</source>
        <translation>每个头使用每个向量中属于自己的一段。</translation>
    </message>
    <message>
        <source>The outputs of the heads are concatenated, so that each token has one vector again.</source>
        <translation>各个头的输出被拼接，使每个词元重新只有一个向量。</translation>
    </message>
    <message>
        <source>W_O mixes the outputs of the heads.</source>
        <translation>W_O 混合各个头的输出。</translation>
    </message>
    <message>
        <source>The mean is the centre of one token&apos;s numbers.</source>
        <translation>均值是一个词元的各数的中心。</translation>
    </message>
    <message>
        <source>With the mean subtracted, the numbers are centred at 0.</source>
        <translation>减去均值后，这些数以 0 为中心。</translation>
    </message>
    <message>
        <source>Squaring makes all deviations positive, so that they do not cancel when added.</source>
        <translation>平方使所有偏差为正，相加时不会抵消。</translation>
    </message>
    <message>
        <source>The standard deviation measures the spread of the numbers. ε keeps it from being 0.</source>
        <translation>标准差衡量这些数的分散程度。ε 使它不为 0。</translation>
    </message>
    <message>
        <source>Divided by the standard deviation, the numbers of every token have the same spread, whatever the input.</source>
        <translation>除以标准差后，无论输入如何，每个词元的数分散程度都相同。</translation>
    </message>
    <message>
        <source>γ lets the model learn a scale for each dimension.</source>
        <translation>γ 让模型为每一维学习一个缩放。</translation>
    </message>
    <message>
        <source>β lets the model learn an offset for each dimension.</source>
        <translation>β 让模型为每一维学习一个偏移。</translation>
    </message>
    <message>
        <source>Each pair of dimensions rotates at its own frequency: the first pair fast, later pairs slowly.</source>
        <translation>每对维度以自己的频率旋转：第一对快，后面的慢。</translation>
    </message>
    <message>
        <source>Both tokens can be shifted together. The final score does not change.</source>
        <translation>两个词元可以一起平移，最终得分不变。</translation>
    </message>
    <message>
        <source>A position times a frequency is the rotation angle of that pair.</source>
        <translation>位置乘以频率，就是这一对的旋转角度。</translation>
    </message>
    <message>
        <source>The sine and cosine of the angle define the rotation.</source>
        <translation>角度的正弦和余弦定义旋转。</translation>
    </message>
    <message>
        <source>A rotation changes the direction of a pair, never its length.</source>
        <translation>旋转改变一对数的方向，从不改变其长度。</translation>
    </message>
    <message>
        <source>The score depends only on the distance between the two positions.</source>
        <translation>得分只取决于两个位置之间的距离。</translation>
    </message>
    <message>
        <source>Each pair of dimensions has an exponent of its own, from 0 to nearly 1.</source>
        <translation>每对维度有自己的指数，从 0 到接近 1。</translation>
    </message>
    <message>
        <source>The denominator sets the wavelength of a pair: 2π times the denominator.</source>
        <translation>分母决定一对维度的波长：2π 乘以分母。</translation>
    </message>
    <message>
        <source>The first pair turns fast, later pairs slowly, like the hands of clocks.</source>
        <translation>第一对转得快，后面的对转得慢，就像钟表的指针。</translation>
    </message>
    <message>
        <source>With sine and cosine of one angle, moving on by some positions is a rotation.</source>
        <translation>有了同一个角的正弦和余弦，移动若干位置就是一次旋转。</translation>
    </message>
    <message>
        <source>The square root of the variance is the typical size of a score. Large scores saturate the softmax.</source>
        <translation>方差的平方根是得分的典型大小。得分过大会使 softmax 饱和。</translation>
    </message>
    <message>
        <source>After the division a score has the variance of a single product, whatever the head dimension.</source>
        <translation>相除之后，无论头的维数是多少，得分的方差都等于单个积的方差。</translation>
    </message>
    <message>
        <source>All weights here are chosen: these so that Q, K and V are those of “Attention, two tokens”, the others to be short.</source>
        <translation>这里所有权重都是选定的：这些使 Q、K、V 与“注意力，两个词元”相同，其余的是为了数字简短。</translation>
    </message>
    <message>
        <source>W_O returns the output of the head to the width of the residual stream.</source>
        <translation>W_O 把头的输出变回残差流的宽度。</translation>
    </message>
    <message>
        <source>Residual connection: a sublayer adds to its input and does not replace it.</source>
        <translation>残差连接：子层把结果加到输入上，而不是取代输入。</translation>
    </message>
    <message>
        <source>LayerNorm gives every token mean 0 and variance 1. Here γ is 1 and β is 0.</source>
        <translation>LayerNorm 使每个词元的均值为 0、方差为 1。这里 γ 为 1，β 为 0。</translation>
    </message>
    <message>
        <source>The feed-forward network processes each token on its own. Its hidden layer is usually four times as wide.</source>
        <translation>前馈网络单独处理每个词元。它的隐藏层通常宽四倍。</translation>
    </message>
    <message>
        <source>Without a nonlinearity the two matrices would collapse into one.</source>
        <translation>没有非线性，这两个矩阵就会合并成一个。</translation>
    </message>
    <message>
        <source>The second matrix projects back to the width of the residual stream.</source>
        <translation>第二个矩阵投影回残差流的宽度。</translation>
    </message>
    <message>
        <source>Only the new token needs a query. The weights are chosen so that Q, K and V are those of “Attention, three tokens”.</source>
        <translation>只有新词元需要查询。权重的选择使 Q、K、V 与“注意力，三个词元”相同。</translation>
    </message>
    <message>
        <source>The new key is computed once and stays in the cache.</source>
        <translation>新的键只计算一次，并留在缓存中。</translation>
    </message>
    <message>
        <source>The new value is computed once and stays in the cache.</source>
        <translation>新的值只计算一次，并留在缓存中。</translation>
    </message>
    <message>
        <source>The new token attends to all cached keys: the same numbers as with the causal mask, one row at a time.</source>
        <translation>新词元关注缓存中的所有键：与使用因果掩码的结果相同，每次一行。</translation>
    </message>
    <message>
        <source>The cache trades memory for work. Each position still reads all earlier keys and values.</source>
        <translation>缓存用内存换计算。每个位置仍要读取之前所有的键和值。</translation>
    </message>
    <message>
        <source>Without the cache, the work grows with the square of the length.</source>
        <translation>没有缓存时，计算量随长度的平方增长。</translation>
    </message>
    <message>
        <source>Only the probability of the actual next token counts.</source>
        <translation>只有实际的下一个词元的概率才计入。</translation>
    </message>
    <message>
        <source>The loss is small when that probability is near 1, and unbounded as it approaches 0.</source>
        <translation>这个概率接近 1 时损失很小，趋近 0 时损失无限增大。</translation>
    </message>
    <message>
        <source>The mean over all positions is the loss that training minimises.</source>
        <translation>对所有位置取平均，就是训练所最小化的损失。</translation>
    </message>
    <message>
        <source>Perplexity is the number of equally likely tokens that would give the same loss.</source>
        <translation>困惑度是会产生同样损失的等可能词元的个数。</translation>
    </message>
    <message>
        <source>The correct answer as a one-hot vector: 1 for the actual token, 0 for all others.</source>
        <translation>用独热向量表示的正确答案：实际词元为 1，其余为 0。</translation>
    </message>
    <message>
        <source>Positive: the model gave that token too much probability. Negative: too little.</source>
        <translation>为正：模型给该词元的概率太大。为负：太小。</translation>
    </message>
    <message>
        <source>Moving each logit against its gradient reduces the loss.</source>
        <translation>逆着梯度移动每个 logit 可减小损失。</translation>
    </message>
    <message>
        <source>The norm is the length of the whole gradient.</source>
        <translation>范数是整个梯度的长度。</translation>
    </message>
    <message>
        <source>A gradient above the maximum norm is scaled down by this factor.</source>
        <translation>超过最大范数的梯度按此系数缩小。</translation>
    </message>
    <message>
        <source>A clipped gradient keeps its direction.</source>
        <translation>裁剪后的梯度保持方向不变。</translation>
    </message>
    <message>
        <source>Weight decay pulls every weight a little towards 0.</source>
        <translation>权重衰减把每个权重略微拉向 0。</translation>
    </message>
    <message>
        <source>The first moment is a running mean of the gradients. It tracks their direction.</source>
        <translation>一阶矩是梯度的滑动平均，跟踪其方向。</translation>
    </message>
    <message>
        <source>The second moment is a running mean of the squared gradients. It tracks their magnitude.</source>
        <translation>二阶矩是梯度平方的滑动平均，跟踪其大小。</translation>
    </message>
    <message>
        <source>Both means start at 0. This is the fraction of a full mean accumulated so far.</source>
        <translation>两个平均都从 0 开始。这是已积累的部分占完整平均的比例。</translation>
    </message>
    <message>
        <source>Dividing by that fraction removes the bias towards 0.</source>
        <translation>除以该比例可消除偏向 0 的偏差。</translation>
    </message>
    <message>
        <source>The square root returns to the scale of the gradients. ε prevents division by 0.</source>
        <translation>平方根还原到梯度的尺度。ε 防止除以 0。</translation>
    </message>
    <message>
        <source>Large and small gradients give steps of about the same size.</source>
        <translation>大小不同的梯度变成大小相近的步。</translation>
    </message>
    <message>
        <source>The learning rate sets the step size.</source>
        <translation>学习率决定步长。</translation>
    </message>
    <message>
        <source>The weights take the step, against the gradient.</source>
        <translation>权重逆着梯度走出这一步。</translation>
    </message>
    <message>
        <source>Validation accuracy</source>
        <translation>验证准确率</translation>
    </message>
    <message>
        <source>Tokens per second</source>
        <translation>每秒词元数</translation>
    </message>
    <message>
        <source>Attention weights</source>
        <translation>注意力权重</translation>
    </message>
    <message>
        <source>After softmax: each row sums to 1, with its sink where the head has one</source>
        <translation>softmax 之后：每行之和为 1，头有汇点时连同其汇点</translation>
    </message>
    <message>
        <source>Scores</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>Before softmax and mask</source>
        <translation>softmax 和掩码之前</translation>
    </message>
    <message>
        <source>Value-weighted</source>
        <translation>值加权</translation>
    </message>
    <message>
        <source>Weight times the length of the value vector</source>
        <translation>权重乘以值向量的长度</translation>
    </message>
    <message>
        <source>Value-weighted norm</source>
        <translation>值加权范数</translation>
    </message>
    <message>
        <source>Length of the vector that each key adds, W_O included; rows sum to 1</source>
        <translation>每个键所加向量的长度，含 W_O；每行之和为 1</translation>
    </message>
    <message>
        <source>Contribution to the stream</source>
        <translation>对残差流的贡献</translation>
    </message>
    <message>
        <source>How much each key moves the stream towards its new value (l1); rows sum to 1</source>
        <translation>每个键使残差流向新值移动多少（l1）；每行之和为 1</translation>
    </message>
    <message>
        <source>Gradient × attention</source>
        <translation>梯度 × 注意力</translation>
    </message>
    <message>
        <source>Weight times its gradient with respect to the logit of the top-1 next token</source>
        <translation>权重乘以 top-1 下一词元的 logit 对它的梯度</translation>
    </message>
    <message>
        <source>Integrated gradients</source>
        <translation>积分梯度</translation>
    </message>
    <message>
        <source>Effect of the layer&apos;s attention on the logit of the top-1 next token, integrated from none to all of it</source>
        <translation>该层注意力对 top-1 下一词元 logit 的影响，从无到全部积分</translation>
    </message>
    <message>
        <source>Rollout</source>
        <translation>Rollout</translation>
    </message>
    <message>
        <source>Weight of each input token after this layer over all heads, half from the residual stream, if the model has one</source>
        <translation>每个输入词元在该层之后的权重，含所有头；模型有残差连接时，其中一半来自残差流</translation>
    </message>
    <message>
        <source>Attention flow</source>
        <translation>注意力流</translation>
    </message>
    <message>
        <source>Maximum flow from each input token up to this layer, over all heads</source>
        <translation>从每个输入词元到该层的最大流，含所有头</translation>
    </message>
    <message>
        <source>masked words</source>
        <translation>被遮住的词</translation>
    </message>
    <message>
        <source>next sentence</source>
        <translation>下一句</translation>
    </message>
    <message>
        <source>next sent.</source>
        <translation>下一句</translation>
    </message>
    <message>
        <source>balancing</source>
        <translation>均衡</translation>
    </message>
    <message>
        <source>Previous token</source>
        <translation>前一词元</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>首词元</translation>
    </message>
    <message>
        <source>first</source>
        <translation>首词元</translation>
    </message>
    <message>
        <source>Itself</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>Induction</source>
        <translation>归纳</translation>
    </message>
    <message>
        <source>induct.</source>
        <translation>归纳</translation>
    </message>
    <message>
        <source>Duplicate token</source>
        <translation>重复词元</translation>
    </message>
    <message>
        <source>duplicate</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>Diagonal</source>
        <translation>对角线</translation>
    </message>
    <message>
        <source>diagonal</source>
        <translation>对角线</translation>
    </message>
    <message>
        <source>Anti-diagonal</source>
        <translation>反对角线</translation>
    </message>
    <message>
        <source>anti-diag.</source>
        <translation>反对角</translation>
    </message>
    <message>
        <source>queries</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>键</translation>
    </message>
    <message>
        <source>values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>attention output</source>
        <translation>注意力输出</translation>
    </message>
    <message>
        <source>queries, compressed</source>
        <translation>查询，压缩</translation>
    </message>
    <message>
        <source>queries, expanded</source>
        <translation>查询，展开</translation>
    </message>
    <message>
        <source>keys and values, compressed</source>
        <translation>键和值，压缩</translation>
    </message>
    <message>
        <source>keys and values, expanded</source>
        <translation>键和值，展开</translation>
    </message>
    <message>
        <source>MLP, in</source>
        <translation>MLP 输入</translation>
    </message>
    <message>
        <source>MLP, gate</source>
        <translation>MLP 门控</translation>
    </message>
    <message>
        <source>MLP, out</source>
        <translation>MLP 输出</translation>
    </message>
    <message>
        <source>router</source>
        <translation>路由器</translation>
    </message>
    <message>
        <source>token embeddings</source>
        <translation>词元嵌入</translation>
    </message>
    <message>
        <source>position embeddings</source>
        <translation>位置嵌入</translation>
    </message>
    <message>
        <source>segment embeddings</source>
        <translation>段嵌入</translation>
    </message>
    <message>
        <source>position biases</source>
        <translation>位置偏置</translation>
    </message>
    <message>
        <source>unembedding</source>
        <translation>解嵌入</translation>
    </message>
    <message>
        <source>pooler</source>
        <translation>池化层</translation>
    </message>
    <message>
        <source>next-sentence head</source>
        <translation>下一句预测头</translation>
    </message>
    <message>
        <source>dense layer of the head</source>
        <translation>输出头的全连接层</translation>
    </message>
    <message>
        <source>gain of a norm</source>
        <translation>归一化的增益</translation>
    </message>
    <message>
        <source>bias of a norm</source>
        <translation>归一化的偏置</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Reports</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>In-context-learning score (Olsson et al. 2022): %1 nats, the loss of the token at position %2 minus that at position %3; below 0, context helps.</source>
        <translation>上下文学习得分（Olsson 等，2022）：%1 奈特，即位置 %2 处词元的损失减去位置 %3 处的损失；低于 0 表示上下文有帮助。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::AlignmentWidget</name>
    <message>
        <source>Alignment of source and target</source>
        <translation>源与目标的对齐</translation>
    </message>
    <message>
        <source>%1 at %2: %3</source>
        <translation>%1 关注 %2：%3</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ArchitecturePage</name>
    <message>
        <source>Arrows move between boxes · Enter opens the page for a part · PgUp PgDn change the block</source>
        <translation>方向键在方框间移动 · Enter 打开相关页面 · PgUp PgDn 换块</translation>
    </message>
    <message>
        <source>See the open model as a diagram with tensor shapes and parameter counts. Click a part to open its page.</source>
        <translation>以图的形式查看打开的模型，含张量形状和参数量。点击一个部分可打开其页面。</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>A captured trace does not include the model&apos;s architecture. Open the model to see it.</source>
        <translation>捕获的追踪不含模型的架构。打开模型即可查看。</translation>
    </message>
    <message>
        <source>How is this model built?</source>
        <translation>这个模型的结构是怎样的？</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ArchitectureWidget</name>
    <message>
        <source>Data flow of the model</source>
        <translation>模型的数据流</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ArcsPage</name>
    <message>
        <source>Previous layer</source>
        <translation>上一层</translation>
    </message>
    <message>
        <source>Next layer</source>
        <translation>下一层</translation>
    </message>
    <message>
        <source>Show the strongest</source>
        <translation>显示最强的</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>of each row</source>
        <translation>占每行</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Hide special tokens</source>
        <translation>隐藏特殊词元</translation>
    </message>
    <message>
        <source>Hide %1</source>
        <translation>隐藏 %1</translation>
    </message>
    <message>
        <source>This text has no special tokens</source>
        <translation>此文本没有特殊词元</translation>
    </message>
    <message>
        <source>Hides them and renormalises each row</source>
        <translation>隐藏它们，并重新归一化每一行</translation>
    </message>
    <message>
        <source>Type a sentence above: attention updates as you type.</source>
        <translation>在上方输入句子：注意力随输入更新。</translation>
    </message>
    <message>
        <source>No difference to show</source>
        <translation>没有可显示的差异</translation>
    </message>
    <message>
        <source>A and B have different numbers of tokens or heads. View A or B alone.</source>
        <translation>A 和 B 的词元数或头数不同。请看 A 或 B。</translation>
    </message>
    <message>
        <source>Click pins or unpins · Double-click a head isolates it · Ctrl+click: a weight&apos;s origin</source>
        <translation>单击固定，再次单击松开 · 双击头只显示它 · Ctrl+单击：权重的来源</translation>
    </message>
    <message>
        <source>Select a token first: the origin of its strongest link is shown.</source>
        <translation>请先转到一个词元：将显示其最强连线的来源。</translation>
    </message>
    <message>
        <source>Hide first token</source>
        <translation>隐藏首词元</translation>
    </message>
    <message>
        <source>Hides the key that many heads use as an attention sink, and renormalises each row</source>
        <translation>隐藏许多头用作注意力汇的键，并重新归一化每一行</translation>
    </message>
    <message>
        <source>An attribution depends on the whole forward pass. Choose “Attention weights” to see where a link comes from.</source>
        <translation>归因取决于整个前向传播。要查看连线的来源，请选择“注意力权重”。</translation>
    </message>
    <message>
        <source>%1: computing, %2 %</source>
        <translation>%1：正在计算，%2 %</translation>
    </message>
    <message>
        <source>These arcs are not available</source>
        <translation>此弧线不可用</translation>
    </message>
    <message>
        <source>See attention as arcs between two columns of tokens, one colour per head. Point at a token to see only its links; click to pin it.</source>
        <translation>以两列词元之间的弧线查看注意力，每个头一种颜色。指向一个词元只看它的连线；单击则固定。</translation>
    </message>
    <message>
        <source>Arcs</source>
        <translation>弧线</translation>
    </message>
    <message>
        <source>Which tokens are connected, and by which heads?</source>
        <translation>哪些词元由哪些注意力头相连？</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ArcsPanel</name>
    <message>
        <source>Strongest links</source>
        <translation>最强的连线</translation>
    </message>
    <message>
        <source>Point at a token on either side to see only its links. Click to pin it.</source>
        <translation>指向任一侧的词元只看它的连线。单击则固定。</translation>
    </message>
    <message>
        <source>changed most</source>
        <translation>变化最大</translation>
    </message>
    <message>
        <source>attends to</source>
        <translation>关注</translation>
    </message>
    <message>
        <source>is attended to by</source>
        <translation>被关注于</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Strongest links and coverage</source>
        <translation>最强的连线与覆盖率</translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation>覆盖率</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>连线</translation>
    </message>
    <message>
        <source>Of the visible attention</source>
        <translation>占可见注意力</translation>
    </message>
    <message>
        <source>Test the strongest link</source>
        <translation>检验最强的连线</translation>
    </message>
    <message>
        <source>%1 of %2 heads shown</source>
        <translation>显示 %2 个头中的 %1 个</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Of the visible change</source>
        <translation>占可见变化</translation>
    </message>
    <message>
        <source>B−A, scale −1 to +1: ▲ orange attends more in B, ▼ violet less.</source>
        <translation>B−A，刻度 −1 到 +1：▲ 橙色在 B 中关注更多，▼ 紫色更少。</translation>
    </message>
    <message>
        <source>At most %1 links per row and head, because there are more than %2 tokens.</source>
        <translation>词元多于 %2 个，所以每行每头至多 %1 条连线。</translation>
    </message>
    <message>
        <source>Head &lt;b&gt;%1&lt;/b&gt; links “%2” to “%3” with %4. Does that matter? Try another sentence, or &lt;a href=&quot;off&quot;&gt;ablate the head&lt;/a&gt;.</source>
        <translation>头 &lt;b&gt;%1&lt;/b&gt; 以 %4 连接“%2”和“%3”。这重要吗？换个句子试试，或&lt;a href=&quot;off&quot;&gt;消融此头&lt;/a&gt;。</translation>
    </message>
    <message>
        <source>Of the visible total</source>
        <translation>占可见总和</translation>
    </message>
    <message>
        <source>Contributions to the logit, scale −1 to +1: ▲ orange raises it, ▼ violet lowers it.</source>
        <translation>对 logit 的贡献，刻度 −1 到 +1：▲ 橙色提高它，▼ 紫色降低它。</translation>
    </message>
    <message>
        <source>Hidden with %1; %2</source>
        <translation>随%1隐藏；%2</translation>
    </message>
    <message>
        <source>On attention sinks</source>
        <translation>在注意力汇点上</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ArcsWidget</name>
    <message>
        <source>Arcs</source>
        <translation>弧线</translation>
    </message>
</context>
<context>
    <name>headscope::ui::AttributionControls</name>
    <message>
        <source>Largest first</source>
        <translation>最大的在前</translation>
    </message>
    <message>
        <source>“%1” is not a single token of this model. Choose a shorter word.</source>
        <translation>“%1”不是此模型的单个词元。请选择更短的词。</translation>
    </message>
    <message>
        <source>most likely: %1</source>
        <translation>最可能：%1</translation>
    </message>
    <message>
        <source>most likely</source>
        <translation>最可能的</translation>
    </message>
    <message>
        <source>no contrast</source>
        <translation>无对比</translation>
    </message>
    <message>
        <source>minus %1</source>
        <translation>减 %1</translation>
    </message>
    <message>
        <source>Order by magnitude of the contribution</source>
        <translation>按贡献的大小排序</translation>
    </message>
    <message>
        <source>Model order</source>
        <translation>模型顺序</translation>
    </message>
    <message>
        <source>From the embeddings to the last layer</source>
        <translation>从嵌入到最后一层</translation>
    </message>
    <message>
        <source>Order of the contributions</source>
        <translation>贡献的顺序</translation>
    </message>
    <message>
        <source>Target token</source>
        <translation>目标词元</translation>
    </message>
    <message>
        <source>Contrast token</source>
        <translation>对比词元</translation>
    </message>
    <message>
        <source>or type: mat - rug</source>
        <translation>或输入：mat - rug</translation>
    </message>
    <message>
        <source>One token, or two with a minus between them</source>
        <translation>一个词元，或中间用减号隔开的两个词元</translation>
    </message>
    <message>
        <source>One token, or two with “ - ” between them for the logit difference</source>
        <translation>一个词元，或中间用“ - ”隔开的两个词元，取其 logit 差</translation>
    </message>
</context>
<context>
    <name>headscope::ui::AttributionInputsPanel</name>
    <message>
        <source>Computing gradients: %1 %</source>
        <translation>正在计算梯度：%1 %</translation>
    </message>
    <message>
        <source>Attribution to input tokens</source>
        <translation>对输入词元的归因</translation>
    </message>
    <message>
        <source>Attribution of the input tokens</source>
        <translation>输入词元的归因</translation>
    </message>
    <message>
        <source>Each row is coloured up to its own largest value</source>
        <translation>每行按自己的最大值着色</translation>
    </message>
</context>
<context>
    <name>headscope::ui::AttributionMapPanel</name>
    <message>
        <source>Contribution to the logit, scaled to the largest shown</source>
        <translation>对 logit 的贡献，按所示最大者缩放</translation>
    </message>
    <message>
        <source>Heads and MLPs by layer</source>
        <translation>各层的头和 MLP</translation>
    </message>
    <message>
        <source>Running sum of contributions through the layers</source>
        <translation>贡献逐层的累计和</translation>
    </message>
    <message>
        <source>Contributions to the logit by head and layer</source>
        <translation>按头和层对 logit 的贡献</translation>
    </message>
</context>
<context>
    <name>headscope::ui::AttributionPage</name>
    <message>
        <source>%1 contributions sum to %2; the model&apos;s logit is %3.</source>
        <translation>%1 项贡献之和为 %2；模型的 logit 为 %3。</translation>
    </message>
    <message>
        <source>Sources of %1</source>
        <translation>%1 的来源</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>Type a sentence above: the contributions to its next-token logit appear here.</source>
        <translation>在上方输入句子：对其下一词元 logit 的贡献显示在此。</translation>
    </message>
    <message>
        <source>No logit to decompose</source>
        <translation>没有可分解的 logit</translation>
    </message>
    <message>
        <source>This trace has no logits that can be compared.</source>
        <translation>此追踪没有可比较的 logit。</translation>
    </message>
    <message>
        <source>This logit cannot be decomposed</source>
        <translation>无法分解此 logit</translation>
    </message>
    <message>
        <source>The logit is read at the query token · Click or arrows: a head&apos;s sources · Enter: that head · Ctrl+Enter: the logit&apos;s origin</source>
        <translation>logit 位于查询词元处 · 单击或方向键：头的来源 · Enter：该头 · Ctrl+Enter：该 logit 的来源</translation>
    </message>
    <message>
        <source>A logit difference has two origins. Remove the contrast token to trace one.</source>
        <translation>logit 差有两个来源。要追溯其一，请去掉对比词元。</translation>
    </message>
    <message>
        <source>Contributions to the logit</source>
        <translation>对 logit 的贡献</translation>
    </message>
    <message>
        <source>Source tokens of the selected head</source>
        <translation>所选头的源词元</translation>
    </message>
    <message>
        <source>Decompose a token&apos;s logit (direct logit attribution): the embeddings, each head and each MLP contribute to it and sum to it. The query token sets the position.</source>
        <translation>分解一个词元的 logit（直接 logit 归因）：嵌入、每个头和每个 MLP 都对它有贡献，其和等于它。查询词元决定位置。</translation>
    </message>
    <message>
        <source>Attribution</source>
        <translation>归因</translation>
    </message>
    <message>
        <source>Which components produce this logit?</source>
        <translation>哪些部分产生了这个 logit？</translation>
    </message>
</context>
<context>
    <name>headscope::ui::AuditDialog</name>
    <message>
        <source>Reading the weights…</source>
        <translation>正在读取权重…</translation>
    </message>
    <message>
        <source>About this model</source>
        <translation>关于此模型</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>Filter: name, type, shape, parameter, unused</source>
        <translation>筛选：名称、类型、形状、参数、未用</translation>
    </message>
    <message>
        <source>Filter tensors</source>
        <translation>筛选张量</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Copy as &amp;text</source>
        <translation>复制为文本(&amp;T)</translation>
    </message>
    <message>
        <source>Copy as &amp;JSON</source>
        <translation>复制为 &amp;JSON</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>没有模型</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>warning: %1</source>
        <translation>警告：%1</translation>
    </message>
</context>
<context>
    <name>headscope::ui::BarsWidget</name>
    <message>
        <source>Bars</source>
        <translation>条形图</translation>
    </message>
    <message>
        <source>, before %1</source>
        <translation>，之前 %1</translation>
    </message>
</context>
<context>
    <name>headscope::ui::BlankScreen</name>
    <message>
        <source>Blank screen. Press any key to return to the lesson</source>
        <translation>空白屏幕；按任意键恢复显示课程</translation>
    </message>
</context>
<context>
    <name>headscope::ui::BoxDiagram</name>
    <message numerus="yes">
        <source>%n box(es), from the bottom up</source>
        <translation>
            <numerusform>%n 个方框，自下而上</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headscope::ui::CausalCards</name>
    <message>
        <source>Ablate heads</source>
        <translation>消融头</translation>
    </message>
    <message>
        <source>Replace the output of each head in turn: which heads does the prediction need?</source>
        <translation>逐个替换注意力头的输出：预测需要哪些注意力头？</translation>
    </message>
    <message>
        <source>Patch</source>
        <translation>激活修补</translation>
    </message>
    <message>
        <source>Put activations of the clean run into a corrupted one: where is the information that restores the answer?</source>
        <translation>把干净运行的激活放入被破坏的运行：恢复答案的信息在哪里？</translation>
    </message>
    <message>
        <source>Causal tracing</source>
        <translation>因果追踪</translation>
    </message>
    <message>
        <source>Trace a fact from its tokens through attention and MLPs to the answer.</source>
        <translation>追踪一个事实：从它的词元，经过注意力和 MLP，直到答案。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Run: %1</source>
        <translation>运行：%1</translation>
    </message>
    <message>
        <source>Corrupted: “%1”</source>
        <translation>被破坏的文本：“%1”</translation>
    </message>
    <message>
        <source>Head %1: %2 %3</source>
        <translation>注意力头 %1：%2 %3</translation>
    </message>
</context>
<context>
    <name>headscope::ui::CausalControls</name>
    <message>
        <source>minus</source>
        <translation>减</translation>
    </message>
    <message>
        <source>after</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Ablate heads</source>
        <translation>消融头</translation>
    </message>
    <message>
        <source>Ablate each head in turn and measure the change in the metric</source>
        <translation>依次消融每个头，测量指标的变化</translation>
    </message>
    <message>
        <source>Patch</source>
        <translation>激活修补</translation>
    </message>
    <message>
        <source>Patch activations of the clean run into the corrupted run</source>
        <translation>把干净运行的激活修补到损坏运行中</translation>
    </message>
    <message>
        <source>Causal tracing</source>
        <translation>因果追踪</translation>
    </message>
    <message>
        <source>Trace a fact from its tokens to the answer, step by step</source>
        <translation>从其词元到答案，逐步追踪一个事实</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>检验</translation>
    </message>
    <message>
        <source>Logit of one token</source>
        <translation>一个词元的 logit</translation>
    </message>
    <message>
        <source>Logit of one token minus another&apos;s</source>
        <translation>一个词元的 logit 减去另一个的</translation>
    </message>
    <message>
        <source>Mean loss of the text in nats; lower is better</source>
        <translation>文本的平均损失，以奈特计；越低越好</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Contrast token</source>
        <translation>对比词元</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Replace the head&apos;s output by zero</source>
        <translation>把头的输出替换为零</translation>
    </message>
    <message>
        <source>Replace it by its mean over the tokens of this text</source>
        <translation>替换为它在此文本各词元上的均值</translation>
    </message>
    <message>
        <source>Replace it by its output at another token of this text, sampled at random (seed 1)</source>
        <translation>替换为它在此文本另一词元处的输出，随机采样（种子 1）</translation>
    </message>
    <message>
        <source>Replacement of a head&apos;s output</source>
        <translation>头输出的替换方式</translation>
    </message>
    <message>
        <source>Corrupted text: same number of tokens, different answer</source>
        <translation>损坏文本：词元数相同，答案不同</translation>
    </message>
    <message>
        <source>Corrupted text</source>
        <translation>损坏文本</translation>
    </message>
    <message>
        <source>Activation to patch</source>
        <translation>要修补的激活</translation>
    </message>
    <message>
        <source>first choice</source>
        <translation>首选</translation>
    </message>
    <message>
        <source>second choice</source>
        <translation>次选</translation>
    </message>
    <message>
        <source>corrupted answer</source>
        <translation>损坏运行的答案</translation>
    </message>
    <message>
        <source>the last token</source>
        <translation>最后一个词元</translation>
    </message>
    <message>
        <source>token %1 “%2”</source>
        <translation>词元 %1“%2”</translation>
    </message>
    <message>
        <source>%1 % done</source>
        <translation>已完成 %1 %</translation>
    </message>
    <message>
        <source>Heads: %1 in %2 s, %3 times as long as one forward pass per head</source>
        <translation>头：%1 个，用时 %2 秒，是每个头一次前向传播的 %3 倍</translation>
    </message>
    <message>
        <source>clean %1, corrupted %2; %3 s</source>
        <translation>干净 %1，损坏 %2；%3 秒</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
</context>
<context>
    <name>headscope::ui::CausalMeasurement</name>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::CausalPage</name>
    <message>
        <source>This result holds for this prompt and metric. Other heads may compensate for an ablated one (self-repair).</source>
        <translation>此结果只对此提示和指标成立。其他头可能补偿被消融的头（自我修复）。</translation>
    </message>
    <message>
        <source>Arrows select a head · Enter opens it · Esc stops</source>
        <translation>方向键选择头 · Enter 打开 · Esc 停止</translation>
    </message>
    <message>
        <source>Arrows select a cell · Esc stops, then clears the selection</source>
        <translation>方向键选择单元格 · Esc 停止，再清除选择</translation>
    </message>
    <message>
        <source>An effect compares two forward passes, one clean and one with a replaced activation. It has no single origin.</source>
        <translation>效应比较两次前向传播：一次干净，一次替换了激活。它没有单一来源。</translation>
    </message>
    <message>
        <source>Type a sentence above to test the heads on it.</source>
        <translation>在上方输入句子，用它检验各个头。</translation>
    </message>
    <message>
        <source>This test is not available</source>
        <translation>此检验不可用</translation>
    </message>
    <message>
        <source>The test failed</source>
        <translation>检验失败</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>正在测量</translation>
    </message>
    <message>
        <source>No results yet</source>
        <translation>尚无结果</translation>
    </message>
    <message>
        <source>Run the test: it needs one forward pass for every replaced activation.</source>
        <translation>请运行检验：每替换一个激活需要一次前向传播。</translation>
    </message>
    <message>
        <source>Measure what a prediction depends on: ablate heads one at a time, patch activations between two prompts, and trace where a fact enters.</source>
        <translation>测量预测取决于什么：逐个消融头，在两个提示之间修补激活，并追踪事实从何处进入。</translation>
    </message>
    <message>
        <source>Causal tests</source>
        <translation>因果检验</translation>
    </message>
    <message>
        <source>A captured trace holds a single forward pass, and causal tests need more. Open a model.</source>
        <translation>捕获的追踪只含一次前向传播，而因果检验需要更多。请打开模型。</translation>
    </message>
    <message>
        <source>What does this prediction depend on?</source>
        <translation>这个预测取决于什么？</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ChangeList</name>
    <message>
        <source>Possible changes</source>
        <translation>可用的更改</translation>
    </message>
    <message>
        <source>computing</source>
        <translation>计算中</translation>
    </message>
    <message>
        <source>map moved %1</source>
        <translation>注意力图变动 %1</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ChangeOffers</name>
    <message>
        <source>Changes to try</source>
        <translation>可以尝试的更改</translation>
    </message>
    <message>
        <source>head %1 in B</source>
        <translation>B 中的头 %1</translation>
    </message>
</context>
<context>
    <name>headscope::ui::Changes</name>
    <message>
        <source>Mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ChangesBar</name>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Changes in B</source>
        <translation>B 中的更改</translation>
    </message>
    <message>
        <source>Shown variant</source>
        <translation>显示的变体</translation>
    </message>
    <message>
        <source>All pages show variant A: the model as trained</source>
        <translation>所有页面显示变体 A：训练所得的模型</translation>
    </message>
    <message>
        <source>All pages show variant B: with your changes</source>
        <translation>所有页面显示变体 B：含你的更改</translation>
    </message>
    <message>
        <source>All pages show the difference B−A</source>
        <translation>所有页面显示差异 B−A</translation>
    </message>
    <message>
        <source>Remove all changes from B</source>
        <translation>去掉 B 的所有更改</translation>
    </message>
    <message>
        <source>Show this head</source>
        <translation>显示此头</translation>
    </message>
    <message>
        <source>Loss %1 %2</source>
        <translation>损失 %1 %2</translation>
    </message>
    <message>
        <source>Moved most</source>
        <translation>变化最大</translation>
    </message>
    <message>
        <source>%1.%2 (%3 of a row)</source>
        <translation>%1.%2（一行的 %3）</translation>
    </message>
    <message>
        <source>Head that moved most: layer %1, head %2</source>
        <translation>变化最大的头：层 %1，头 %2</translation>
    </message>
    <message>
        <source>Computing B</source>
        <translation>正在计算 B</translation>
    </message>
    <message>
        <source>Next token &lt;b&gt;%1&lt;/b&gt; %2 %3 · logit %4</source>
        <translation>下一词元 &lt;b&gt;%1&lt;/b&gt; %2 %3 · logit %4</translation>
    </message>
    <message>
        <source>No changes: B is the same as A.</source>
        <translation>没有更改：B 与 A 相同。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ChatEditor</name>
    <message>
        <source>Add turn</source>
        <translation>添加一轮</translation>
    </message>
    <message>
        <source>Generation prompt</source>
        <translation>生成提示</translation>
    </message>
    <message>
        <source>Ends the chat with the beginning of the assistant’s turn, so that the model continues with a reply</source>
        <translation>在对话末尾加上助手轮次的开头，使模型接着写出回复</translation>
    </message>
    <message>
        <source>generation prompt</source>
        <translation>生成提示</translation>
    </message>
    <message>
        <source>role of a turn</source>
        <translation>轮次的角色</translation>
    </message>
    <message>
        <source>remove a turn</source>
        <translation>删除一轮</translation>
    </message>
    <message>
        <source>add a turn</source>
        <translation>添加一轮</translation>
    </message>
    <message>
        <source>Stop reply</source>
        <translation>停止回复</translation>
    </message>
    <message>
        <source>Write reply</source>
        <translation>写出回复</translation>
    </message>
    <message>
        <source>Stops and keeps what is written</source>
        <translation>停止并保留已写出的内容</translation>
    </message>
    <message>
        <source>Writes the assistant’s turn with the sampling settings of the Next token page</source>
        <translation>按“下一词元”页面的采样设置写出助手的轮次</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ChatReply</name>
    <message>
        <source>There is no chat to reply to.</source>
        <translation>没有可回复的对话。</translation>
    </message>
    <message>
        <source>The last turn is the assistant’s. Add a turn of the user first.</source>
        <translation>最后一轮已是助手的。请先添加一轮用户的话。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ChipRow</name>
    <message>
        <source>Changes in B</source>
        <translation>B 中的更改</translation>
    </message>
    <message>
        <source>%1 %2, change %3 of %4</source>
        <translation>%1 %2，第 %3 项更改，共 %4 项</translation>
    </message>
    <message>
        <source>Remove this change</source>
        <translation>去掉此更改</translation>
    </message>
    <message>
        <source>%1 %2, disabled, change %3 of %4</source>
        <translation>%1 %2，已关闭，第 %3 项更改，共 %4 项</translation>
    </message>
    <message>
        <source>Enable this change</source>
        <translation>启用此更改</translation>
    </message>
    <message>
        <source>Disable this change</source>
        <translation>停用此更改</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ClocksWidget</name>
    <message>
        <source>Pairs of dimensions as clock hands</source>
        <translation>以钟表指针表示的维度对</translation>
    </message>
</context>
<context>
    <name>headscope::ui::CodeLines</name>
    <message>
        <source>empty line</source>
        <translation>空行</translation>
    </message>
    <message>
        <source>%1, shape %2</source>
        <translation>%1，形状 %2</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ColourBar</name>
    <message>
        <source>Colour scale</source>
        <translation>颜色刻度</translation>
    </message>
</context>
<context>
    <name>headscope::ui::CommandPalette</name>
    <message>
        <source>Go to anything</source>
        <translation>转到任意处</translation>
    </message>
    <message>
        <source>Page, command, setting, lesson, token, or “layer 1 head 3”</source>
        <translation>页面、命令、设置、课程、词元，或“层 1 头 3”</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>匹配项</translation>
    </message>
    <message>
        <source>%1   %2</source>
        <translation>%1   %2</translation>
    </message>
    <message>
        <source>No match</source>
        <translation>没有匹配项</translation>
    </message>
    <message>
        <source>%1 more: type more letters</source>
        <translation>还有 %1 项：请输入更多字母</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ComparePage</name>
    <message>
        <source>Patch into the same layer of B: the streams of layers %1 and %2 are not comparable.</source>
        <translation>请修补到 B 的同一层：层 %1 和层 %2 的残差流不可比较。</translation>
    </message>
    <message>
        <source>patch of layer %1</source>
        <translation>层 %1 的修补</translation>
    </message>
    <message>
        <source>Type a sentence to compare.</source>
        <translation>输入一个句子来比较。</translation>
    </message>
    <message>
        <source>Computing.</source>
        <translation>正在计算。</translation>
    </message>
    <message>
        <source>This model predicts no tokens, so its layers have no predictions to show.</source>
        <translation>此模型不预测词元，因此其各层没有可显示的预测。</translation>
    </message>
    <message>
        <source>Select a cell of A&apos;s or B&apos;s grid first. A divergence compares two variants and has no single origin.</source>
        <translation>请先选择 A 或 B 网格中的单元格。散度比较两次运行，没有单一来源。</translation>
    </message>
    <message>
        <source>Enter picks a cell of A, Enter patches it into B · Esc cancels · Ctrl+click: a number&apos;s origin</source>
        <translation>Enter 拾取 A 的单元格，再按 Enter 修补到 B · Esc 取消 · Ctrl+单击：数值的来源</translation>
    </message>
    <message>
        <source>the models tokenise the text differently: each line pairs tokens that end at the same byte</source>
        <translation>两个模型的分词不同：每行配对结束于同一字节的词元</translation>
    </message>
    <message>
        <source>two vocabularies: each line pairs tokens with the same text</source>
        <translation>两个词表：每行配对文本相同的词元</translation>
    </message>
    <message>
        <source>A and B have different lengths or sizes, so B−A of the maps is not defined</source>
        <translation>A 与 B 的长度或尺寸不同，因此图的 B−A 无定义</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>A captured trace has no second variant. Open a model to compare with.</source>
        <translation>捕获的追踪没有第二个变体。请打开一个模型作比较。</translation>
    </message>
    <message>
        <source>How do two texts or two models differ?</source>
        <translation>两段文本或两个模型有何不同？</translation>
    </message>
    <message>
        <source>Section of the comparison</source>
        <translation>比较的部分</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>The prediction after each layer</source>
        <translation>每一层之后的预测</translation>
    </message>
    <message>
        <source>What moved</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Heads, tokens and matrices by how far they moved from A to B</source>
        <translation>按从 A 到 B 的变化大小排列头、词元和矩阵</translation>
    </message>
    <message>
        <source>Texts</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>The texts on which the predictions of two models differ most</source>
        <translation>两个模型的预测差异最大的文本</translation>
    </message>
    <message>
        <source>Up, Down: next row · Left, Right: sort by another column · Enter: open the head</source>
        <translation>上、下：下一行 · 左、右：按另一列排序 · Enter：打开该头</translation>
    </message>
    <message>
        <source>Up, Down: next text · Enter: open the text · Esc cancels</source>
        <translation>上、下：下一个文本 · Enter：打开文本 · Esc 取消</translation>
    </message>
    <message>
        <source>Compare two sentences or two models side by side, with their difference where both have the same number of tokens. What moved ranks heads, tokens and matrices by how far B is from A.</source>
        <translation>并排比较两个句子或两个模型；词元数相同时还显示差异。“变化”按 B 与 A 的差距排列头、词元和矩阵。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ComparedGrids</name>
    <message>
        <source>Predictions of A: tokens down, layers across</source>
        <translation>A 的预测：纵向为词元，横向为层</translation>
    </message>
    <message>
        <source>Predictions of B: tokens down, layers across</source>
        <translation>B 的预测：纵向为词元，横向为层</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>prediction of each layer (logit lens); drag a cell onto B to patch it</source>
        <translation>每层的预测（logit 透镜）；把单元格拖到 B 上即可修补</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>dot: top-1 token differs from A; outline: reached by a patch</source>
        <translation>圆点：top-1 词元与 A 不同；轮廓：修补可影响</translation>
    </message>
</context>
<context>
    <name>headscope::ui::Computation</name>
    <message>
        <source>%1 Attention runs on the CPU instead.</source>
        <translation>%1 注意力改在 CPU 上运行。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::CrossPage</name>
    <message>
        <source>This head</source>
        <translation>此头</translation>
    </message>
    <message>
        <source>The active head alone</source>
        <translation>仅当前头</translation>
    </message>
    <message>
        <source>Layer&apos;s mean</source>
        <translation>层的平均</translation>
    </message>
    <message>
        <source>Mean over the heads of the active layer</source>
        <translation>对当前层的头取平均</translation>
    </message>
    <message>
        <source>Mean of all</source>
        <translation>全部平均</translation>
    </message>
    <message>
        <source>Mean over all layers and heads</source>
        <translation>对所有层和头取平均</translation>
    </message>
    <message>
        <source>Heads of the alignment</source>
        <translation>对齐的头</translation>
    </message>
    <message>
        <source>Source above, output below</source>
        <translation>上为源文本，下为输出</translation>
    </message>
    <message>
        <source>Target tokens by source tokens</source>
        <translation>目标词元对源词元</translation>
    </message>
    <message>
        <source>Cross-attention heads</source>
        <translation>交叉注意力头</translation>
    </message>
    <message>
        <source>Strongest source token of each target token</source>
        <translation>每个目标词元最强的源词元</translation>
    </message>
    <message>
        <source>Output ← attends most to</source>
        <translation>输出 ← 最关注</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>%1 · no target entered: the model&apos;s own output is shown</source>
        <translation>%1 · 没有输入目标，因此显示模型自己的回答</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>没有打开模型</translation>
    </message>
    <message>
        <source>Open an encoder–decoder, or use the built-in one.</source>
        <translation>打开一个编码器-解码器，或使用内置的。</translation>
    </message>
    <message>
        <source>Open the dates model</source>
        <translation>打开 dates 模型</translation>
    </message>
    <message>
        <source>This model has no cross-attention</source>
        <translation>此模型没有交叉注意力</translation>
    </message>
    <message>
        <source>It reads and writes one text. Cross-attention joins two: a source that an encoder reads and a target that a decoder writes. The built-in dates model turns “march 5, 1987” into “1987-03-05”.</source>
        <translation>它读写同一个文本。交叉注意力连接两个：编码器读取的源和解码器写出的目标。内置的 dates 模型把“march 5, 1987”变成“1987-03-05”。</translation>
    </message>
    <message>
        <source>Type a source above to see its alignment with the output.</source>
        <translation>在上方输入源；其回答立即与之对齐。</translation>
    </message>
    <message>
        <source>There is no difference to show</source>
        <translation>没有差异可显示</translation>
    </message>
    <message>
        <source>Weight of the strongest source token. Select one to see its ribbons.</source>
        <translation>最强的源词元的权重；选一个看它的色带。</translation>
    </message>
    <message>
        <source>Click a target token: its ribbons stand out · Esc: all · Ctrl+click: a number&apos;s origin</source>
        <translation>单击目标词元：突出其连带 · Esc：全部 · Ctrl+单击：数值的来源</translation>
    </message>
    <message>
        <source>Which source tokens the output of an encoder-decoder attends to, token by token.</source>
        <translation>编码器-解码器的输出逐词元地关注哪些源词元。</translation>
    </message>
    <message>
        <source>Cross</source>
        <translation>交叉</translation>
    </message>
    <message>
        <source>Which source tokens does each output token attend to?</source>
        <translation>每个输出词元关注哪些源词元？</translation>
    </message>
    <message>
        <source>Alignment</source>
        <translation>对齐</translation>
    </message>
</context>
<context>
    <name>headscope::ui::DifferencePanel</name>
    <message>
        <source>Heads</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>After</source>
        <translation>位于其后</translation>
    </message>
    <message>
        <source>Matrices</source>
        <translation>矩阵</translation>
    </message>
    <message>
        <source>Matrix</source>
        <translation>矩阵</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>B − A</source>
        <translation>B − A</translation>
    </message>
    <message>
        <source>Pattern, %1</source>
        <translation>注意力模式，%1</translation>
    </message>
    <message>
        <source>comparing weights, %1 %</source>
        <translation>正在比较权重，%1 %</translation>
    </message>
    <message>
        <source>A and B have the same weights</source>
        <translation>A 和 B 的权重相同</translation>
    </message>
</context>
<context>
    <name>headscope::ui::DistanceChart</name>
    <message>
        <source>Attention by distance</source>
        <translation>注意力与距离</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>%1: head %2 %3</source>
        <translation>%1：头 %2 %3</translation>
    </message>
</context>
<context>
    <name>headscope::ui::DistancePage</name>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Doubling from 65 tokens on</source>
        <translation>从 65 个词元起加倍</translation>
    </message>
    <message>
        <source>Every distance</source>
        <translation>每个距离</translation>
    </message>
    <message>
        <source>One point each</source>
        <translation>每个一点</translation>
    </message>
    <message>
        <source>Doubling</source>
        <translation>加倍</translation>
    </message>
    <message>
        <source>0, 1, 2–3, 4–7, 8–15 ...</source>
        <translation>0, 1, 2–3, 4–7, 8–15 ...</translation>
    </message>
    <message>
        <source>Distances</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>Heads shown</source>
        <translation>显示的头</translation>
    </message>
    <message>
        <source>Mean distance of every head</source>
        <translation>每个头的平均距离</translation>
    </message>
    <message>
        <source>Mean distance of the heads of this layer</source>
        <translation>此层各头的平均距离</translation>
    </message>
    <message>
        <source>Attention by distance</source>
        <translation>各头看多远</translation>
    </message>
    <message>
        <source>Layer %1</source>
        <translation>层 %1</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>层 %1</translation>
    </message>
    <message>
        <source>%1 of %2 heads shown</source>
        <translation>显示 %2 个头中的 %1 个</translation>
    </message>
    <message>
        <source>Type a sentence above to see how far back its heads attend.</source>
        <translation>在上方输入句子，看各个头看多远。</translation>
    </message>
    <message>
        <source>Nothing to show</source>
        <translation>没有可显示的</translation>
    </message>
    <message>
        <source>Layer %1, mean distance</source>
        <translation>层 %1，平均距离</translation>
    </message>
    <message>
        <source>Head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>Mean distance %1</source>
        <translation>平均距离 %1</translation>
    </message>
    <message>
        <source>←→ distance · ↑↓ head · Click pins · Double-click isolates · Enter, Ctrl+click: a mean&apos;s origin</source>
        <translation>←→ 距离 · ↑↓ 头 · 单击固定 · 双击单独显示 · Enter、Ctrl+单击：平均值的来源</translation>
    </message>
    <message>
        <source>Select a distance first. For very long texts, a mean has too many operands to list.</source>
        <translation>请先选择一个距离。文本很长时，平均值的操作数太多，无法列出。</translation>
    </message>
    <message>
        <source>How far back heads attend: mean attention weight by the distance between query and key.</source>
        <translation>各个头向前看多远：注意力随查询与键之间距离的变化。</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>How far back does each head attend?</source>
        <translation>每个注意力头向前关注多远？</translation>
    </message>
</context>
<context>
    <name>headscope::ui::DistancePlot</name>
    <message>
        <source>Change of the mean weight by distance</source>
        <translation>平均权重随距离的变化</translation>
    </message>
    <message>
        <source>Mean weight by distance</source>
        <translation>平均权重随距离的变化</translation>
    </message>
    <message>
        <source>point to a distance to read it</source>
        <translation>指向一个距离即可读数</translation>
    </message>
    <message>
        <source>words</source>
        <translation>词</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>%1 from the query back to the key</source>
        <translation>从查询向前到键 %1</translation>
    </message>
    <message>
        <source>keys ahead, in %1</source>
        <translation>后面的键，以%1计</translation>
    </message>
    <message>
        <source>keys behind, in %1</source>
        <translation>前面的键，以%1计</translation>
    </message>
</context>
<context>
    <name>headscope::ui::DocumentBar</name>
    <message>
        <source>Sentence</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Type the model’s output</source>
        <translation>输入模型的输出</translation>
    </message>
    <message>
        <source>The sentence field is limited to %1 characters; the rest was omitted. Open the text as a file to read more.</source>
        <translation>句子框最多容纳 %1 个字符；其余已省略。要读取更多，请将文本作为文件打开。</translation>
    </message>
    <message>
        <source>%1 (step %2) – Headscope</source>
        <translation>%1（第 %2 步） – Headscope</translation>
    </message>
    <message>
        <source>%1 – Headscope</source>
        <translation>%1 – Headscope</translation>
    </message>
    <message>
        <source>Second text</source>
        <translation>第二段文本</translation>
    </message>
    <message>
        <source>Add a second text</source>
        <translation>添加第二段文本</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Read the sentence again; the chat is kept</source>
        <translation>重新读取句子；对话会保留</translation>
    </message>
    <message>
        <source>Write a chat in turns, through the model’s template</source>
        <translation>通过模型的模板按轮次写对话</translation>
    </message>
    <message>
        <source>switch to the chat</source>
        <translation>切换到对话</translation>
    </message>
    <message>
        <source>switch to the sentence</source>
        <translation>切换到句子</translation>
    </message>
</context>
<context>
    <name>headscope::ui::DraftFiles</name>
    <message>
        <source>Choose a training text</source>
        <translation>选择训练文本</translation>
    </message>
    <message>
        <source>Open a training configuration</source>
        <translation>打开训练配置</translation>
    </message>
    <message>
        <source>Training configurations (*.json)</source>
        <translation>训练配置 (*.json)</translation>
    </message>
    <message>
        <source>Save the training configuration</source>
        <translation>保存训练配置</translation>
    </message>
</context>
<context>
    <name>headscope::ui::EditedExample</name>
    <message>
        <source>%1 on</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>Reset of the example</source>
        <translation>重置例题</translation>
    </message>
    <message>
        <source>%1 off</source>
        <translation>关闭 %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>headscope::ui::EmptyState</name>
    <message>
        <source>No text yet</source>
        <translation>还没有文本</translation>
    </message>
    <message>
        <source>Use the sample sentence</source>
        <translation>使用示例句子</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>没有打开模型</translation>
    </message>
    <message>
        <source>Open a checkpoint, or choose a built-in model from the Model menu.</source>
        <translation>打开一个检查点，或从“模型”菜单选择内置模型。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ExamplePage</name>
    <message>
        <source>A head of the open model</source>
        <translation>打开的模型的一个头</translation>
    </message>
    <message>
        <source>Type a sentence above to work through a head on it.</source>
        <translation>在上方输入句子，用它逐步计算一个头。</translation>
    </message>
    <message>
        <source>This head cannot be worked through</source>
        <translation>此头无法逐步计算</translation>
    </message>
    <message>
        <source>Space next · Shift+Space back · Home restart · End finish · ↑↓ select cells · For your own numbers: open any head and press F4</source>
        <translation>空格下一个 · Shift+空格后退 · Home 重来 · End 算完 · ↑↓ 到单元格 · 同样的步骤，用你的数：打开任一头并按 F4</translation>
    </message>
    <message>
        <source>Every number here shows its own derivation: see the equation.</source>
        <translation>这里每个数都已写明由什么算出：见算式。</translation>
    </message>
    <message>
        <source>Work through a calculation one number at a time. Step forward and back, change any input, or compute the next number yourself. F4 does the same with the open head.</source>
        <translation>逐个数地进行计算。可前进、后退，修改任何输入，或自己算出下一个数。F4 对打开的头做同样的事。</translation>
    </message>
    <message>
        <source>Worked example</source>
        <translation>例题</translation>
    </message>
    <message>
        <source>What is computed, one number at a time?</source>
        <translation>逐个数字地看，计算了什么？</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ExampleSide</name>
    <message>
        <source>Example</source>
        <translation>例题</translation>
    </message>
    <message>
        <source>Let me try</source>
        <translation>让我试试</translation>
    </message>
    <message>
        <source>Compute the next number yourself and have it checked</source>
        <translation>自己算出下一个数，并加以检查</translation>
    </message>
    <message>
        <source>Your number</source>
        <translation>你的数</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>✓ %1</source>
        <translation>✓ %1</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Restore all original numbers and switches</source>
        <translation>恢复所有原来的数和开关</translation>
    </message>
    <message>
        <source>Change it</source>
        <translation>修改</translation>
    </message>
    <message>
        <source>Click any input and type another value. All later steps follow.</source>
        <translation>单击任何输入并键入另一个值。之后的步骤都会随之更新。</translation>
    </message>
    <message>
        <source>Exact forms</source>
        <translation>精确形式</translation>
    </message>
    <message>
        <source>Show fractions and roots in place of decimals, where they are short</source>
        <translation>在较短时用分数和根式代替小数</translation>
    </message>
    <message>
        <source>Playback speed</source>
        <translation>播放速度</translation>
    </message>
    <message>
        <source>½×</source>
        <translation>½×</translation>
    </message>
    <message>
        <source>One number every 1.8 seconds</source>
        <translation>每 1.8 秒一个数</translation>
    </message>
    <message>
        <source>1×</source>
        <translation>1×</translation>
    </message>
    <message>
        <source>One number every 0.9 seconds</source>
        <translation>每 0.9 秒一个数</translation>
    </message>
    <message>
        <source>2×</source>
        <translation>2×</translation>
    </message>
    <message>
        <source>4×</source>
        <translation>4×</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>All numbers are computed.</source>
        <translation>所有数都已算出。</translation>
    </message>
    <message>
        <source>Two decimals are enough. Fractions are accepted.</source>
        <translation>两位小数就够了，也可以用分数。</translation>
    </message>
    <message>
        <source>&amp;Code</source>
        <translation>代码(&amp;C)</translation>
    </message>
    <message>
        <source>Show this calculation as a program, in C++ or PyTorch</source>
        <translation>把这个计算显示为 C++ 或 PyTorch 程序</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ExampleStage</name>
    <message>
        <source>‹  Back</source>
        <translation>‹  上一个</translation>
    </message>
    <message>
        <source>Next number  ›</source>
        <translation>下一个数  ›</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Enter accepts it. It was %1.</source>
        <translation>按 Enter 采用。原为 %1。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Type a number such as 0.37, 1/2 or √2/2.</source>
        <translation>输入如 0.37、1/2 或 √2/2 的数。</translation>
    </message>
    <message>
        <source>All numbers are computed.</source>
        <translation>所有数都已算出。</translation>
    </message>
    <message>
        <source>❚❚  Pause</source>
        <translation>❚❚  暂停</translation>
    </message>
    <message>
        <source>▶  Play</source>
        <translation>▶  播放</translation>
    </message>
    <message>
        <source>Show answer  ›</source>
        <translation>显示答案  ›</translation>
    </message>
    <message>
        <source>Step %1 of %2 · number %3 of %4</source>
        <translation>第 %1/%2 步 · 数 %3/%4</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ExperimentCard</name>
    <message>
        <source>Completed fraction of the experiment</source>
        <translation>实验已完成的比例</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Train again</source>
        <translation>重新训练</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Train all %1</source>
        <translation>训练全部 %1 个</translation>
    </message>
    <message>
        <source>Another experiment is running. Cancel it first.</source>
        <translation>另一个实验正在运行。请先取消它。</translation>
    </message>
    <message>
        <source>Saves the current state, so that training can be resumed</source>
        <translation>保存当前状态，以便继续训练</translation>
    </message>
    <message>
        <source>Starts from step 0; this result is moved to the bin</source>
        <translation>从第 0 步开始；此结果移入回收站</translation>
    </message>
    <message>
        <source>Trains every variant in turn from one seed</source>
        <translation>用同一种子依次训练每个变体</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ExperimentCharts</name>
    <message>
        <source>Loss of the variants</source>
        <translation>各变体的损失</translation>
    </message>
    <message>
        <source>Measurements of the variants</source>
        <translation>各变体的测量值</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Loss on held-out data</source>
        <translation>留出数据上的损失</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Loss on the training data, smoothed</source>
        <translation>训练数据上的损失，已平滑</translation>
    </message>
    <message>
        <source>Which loss</source>
        <translation>哪种损失</translation>
    </message>
    <message>
        <source>Which measurement</source>
        <translation>哪项测量</translation>
    </message>
    <message>
        <source>no measurements yet</source>
        <translation>尚无测量值</translation>
    </message>
    <message>
        <source>not trained yet</source>
        <translation>尚未训练</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ExperimentsPage</name>
    <message>
        <source>↑ ↓ select · Enter trains all variants · Enter on a variant opens its training run</source>
        <translation>↑ ↓ 选择 · Enter 训练所有变体 · 在变体上按 Enter 打开其训练运行</translation>
    </message>
    <message>
        <source>The numbers here are measurements of training. They have no single origin.</source>
        <translation>这里的数值是训练的测量值，没有单一来源。</translation>
    </message>
    <message>
        <source>Experiments</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Measurements of the variants</source>
        <translation>各变体的测量值</translation>
    </message>
    <message>
        <source>Train two variants that differ in one setting, from the same seed, and compare them. The sentence at the end reports what was measured.</source>
        <translation>用同一种子训练只有一项设置不同的两个变体，并作比较。末尾的句子报告测得的结果。</translation>
    </message>
    <message>
        <source>What goes wrong when one part is missing?</source>
        <translation>缺少一个部分时会出什么问题？</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ExportDialog</name>
    <message>
        <source>Export view</source>
        <translation>导出视图</translation>
    </message>
    <message>
        <source>PNG</source>
        <translation>PNG</translation>
    </message>
    <message>
        <source>Pixels</source>
        <translation>像素</translation>
    </message>
    <message>
        <source>SVG</source>
        <translation>SVG</translation>
    </message>
    <message>
        <source>Vector graphics, for the web and for editing</source>
        <translation>矢量图，用于网页和编辑</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>Vector graphics with searchable text, for papers</source>
        <translation>文字可搜索的矢量图，用于论文</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>缩放</translation>
    </message>
    <message numerus="yes">
        <source>Scale factor %1</source>
        <translation>
            <numerusform>缩放系数 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source> px</source>
        <translation> 像素</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高度</translation>
    </message>
    <message>
        <source>Include caption below the figure</source>
        <translation>在图下方附上说明</translation>
    </message>
    <message>
        <source>Caption</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export as PNG, SVG or PDF</source>
        <translation>导出为 PNG、SVG 或 PDF</translation>
    </message>
    <message>
        <source>Figures (*.png *.svg *.pdf)</source>
        <translation>图片 (*.png *.svg *.pdf)</translation>
    </message>
    <message>
        <source>%1, %2 × %3 %4, %5. The file includes title, model, sentence, caption and version. It also contains this session: open the file in Headscope to restore the window.</source>
        <translation>%1，%2 × %3 %4，%5。文件含标题、模型、句子、说明和版本，并包含此会话：在 Headscope 中打开文件即可恢复窗口。</translation>
    </message>
    <message>
        <source>pixels</source>
        <translation>像素</translation>
    </message>
    <message>
        <source>logical pixels</source>
        <translation>逻辑像素</translation>
    </message>
    <message>
        <source>dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>light</source>
        <translation>浅色</translation>
    </message>
</context>
<context>
    <name>headscope::ui::FactTable</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>headscope::ui::FillInControls</name>
    <message>
        <source>Next sentence</source>
        <translation>下一句</translation>
    </message>
    <message>
        <source>Masked word</source>
        <translation>被遮住的词</translation>
    </message>
    <message>
        <source>Unmask the token</source>
        <translation>恢复词元</translation>
    </message>
    <message>
        <source>Mask the token</source>
        <translation>遮住词元</translation>
    </message>
    <message>
        <source>Key M, or a click on the token below</source>
        <translation>按 M 键，或点击下方的词元</translation>
    </message>
    <message>
        <source>Write “%1”</source>
        <translation>写入“%1”</translation>
    </message>
    <message>
        <source>Write the candidate</source>
        <translation>写入候选词</translation>
    </message>
    <message>
        <source>Key W, or a double click on a candidate</source>
        <translation>按 W 键，或双击候选词</translation>
    </message>
    <message>
        <source>Type a text.</source>
        <translation>请输入文本。</translation>
    </message>
    <message>
        <source>The model sees “%1”. Mask it to let the model predict it from the words on both sides.</source>
        <translation>模型能看到“%1”。遮住它，让模型根据两侧的词预测它。</translation>
    </message>
    <message>
        <source>The model predicts this word from the words on both sides.</source>
        <translation>模型根据两侧的词预测这个词。</translation>
    </message>
    <message>
        <source>The mask hides “%1”.</source>
        <translation>掩码遮住了“%1”。</translation>
    </message>
    <message>
        <source>The mask hides “%1”: probability %2, rank %3 of %4.</source>
        <translation>掩码遮住了“%1”：概率 %2，在 %4 个中排第 %3。</translation>
    </message>
    <message>
        <source>Type a second text at the top, after the plus sign: does it follow the first?</source>
        <translation>在顶部加号之后输入第二段文本：它是否接在第一段之后？</translation>
    </message>
    <message>
        <source>The second text follows the first, with probability %1.</source>
        <translation>第二段文本接在第一段之后，概率为 %1。</translation>
    </message>
    <message>
        <source>The second text does not follow the first, with probability %1.</source>
        <translation>第二段文本不接在第一段之后，概率为 %1。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::FindBar</name>
    <message>
        <source>Previous match</source>
        <translation>上一个匹配项</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>下一个匹配项</translation>
    </message>
    <message>
        <source>Close the search</source>
        <translation>关闭查找</translation>
    </message>
    <message>
        <source>Find in the text</source>
        <translation>在文本中查找</translation>
    </message>
    <message>
        <source>Enter: next query (row) · Shift+Enter: previous · Ctrl+Enter: next key (column)</source>
        <translation>Enter：下一个查询（行）· Shift+Enter：上一个 · Ctrl+Enter：下一个键（列）</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>What a match selects</source>
        <translation>匹配项选定什么</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>The row of a map</source>
        <translation>图的行</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Its column</source>
        <translation>图的列</translation>
    </message>
    <message>
        <source>No match</source>
        <translation>没有匹配项</translation>
    </message>
    <message>
        <source>1 match</source>
        <translation>1 个匹配项</translation>
    </message>
    <message>
        <source>%1 matches</source>
        <translation>%1 个匹配项</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>headscope::ui::FlowControls</name>
    <message>
        <source>Hide edges below</source>
        <translation>隐藏低于此值的边</translation>
    </message>
    <message>
        <source>Renormalise without hidden edges</source>
        <translation>不计隐藏的边，重新归一化</translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>The source&apos;s own layers</source>
        <translation>源自身的层</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>The target&apos;s own layers; cross-attention is on the Cross page</source>
        <translation>目标自身的层；交叉注意力在“交叉”页面</translation>
    </message>
    <message>
        <source>Stack</source>
        <translation>栈</translation>
    </message>
    <message>
        <source>Information flow through the layers</source>
        <translation>穿过各层的信息流</translation>
    </message>
    <message>
        <source>Rollout</source>
        <translation>Rollout</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Mean attention of the heads, without the residual stream</source>
        <translation>各头的平均注意力，不含残差流</translation>
    </message>
    <message>
        <source>Contribution</source>
        <translation>贡献</translation>
    </message>
    <message>
        <source>Length of what each token&apos;s value vectors add to the stream, next to the residual</source>
        <translation>每个词元的值向量与残差一起加到残差流中的长度</translation>
    </message>
    <message>
        <source>Value norm</source>
        <translation>值范数</translation>
    </message>
    <message>
        <source>Rollout with value-weighted norms in place of attention weights</source>
        <translation>以值加权范数代替注意力权重的 rollout</translation>
    </message>
    <message>
        <source>Gradient</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Rollout with gradient × attention for the top-1 next token: what raises its logit</source>
        <translation>对 top-1 下一词元做梯度 × 注意力的 rollout：什么提高其 logit</translation>
    </message>
    <message>
        <source>Integrated</source>
        <translation>积分梯度</translation>
    </message>
    <message>
        <source>Rollout with integrated gradients of attention: what raises the logit of the top-1 next token</source>
        <translation>用注意力的积分梯度做 rollout：什么提高 top-1 下一词元的 logit</translation>
    </message>
    <message>
        <source>Edge weight</source>
        <translation>边的权重</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Length of the added vector</source>
        <translation>所加向量的长度</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>How much the vector moves the stream towards its new value</source>
        <translation>该向量使残差流向新值移动多少</translation>
    </message>
    <message>
        <source>Measure of contributions</source>
        <translation>贡献的度量</translation>
    </message>
    <message>
        <source>Renormalise each token&apos;s remaining edges before following paths</source>
        <translation>在跟随路径之前，重新归一化每个词元剩余的边</translation>
    </message>
    <message numerus="yes">
        <source>; %n ablated head(s) not counted</source>
        <translation>
            <numerusform>；%n 个被消融的头不计入</numerusform>
        </translation>
    </message>
    <message>
        <source>computing paths</source>
        <translation>正在计算路径</translation>
    </message>
    <message>
        <source>computing paths, %1 %</source>
        <translation>正在计算路径，%1 %</translation>
    </message>
    <message>
        <source>Attention rollout: half the mean attention of the heads, half the residual stream; without residual connections attention alone</source>
        <translation>注意力 rollout：一半为各头的平均注意力，一半为残差流；没有残差连接时只有注意力</translation>
    </message>
</context>
<context>
    <name>headscope::ui::FlowPage</name>
    <message>
        <source>Type a sentence above to see its paths.</source>
        <translation>在上方输入句子以查看其路径。</translation>
    </message>
    <message>
        <source>No paths to show</source>
        <translation>没有可显示的路径</translation>
    </message>
    <message>
        <source>This model has no layer with attention.</source>
        <translation>此模型没有带注意力的层。</translation>
    </message>
    <message>
        <source>Edge weights are not available</source>
        <translation>边的权重不可用</translation>
    </message>
    <message>
        <source>Click a dot: its paths, a line: its heads · E steps · Esc unpins · Ctrl+click: a weight&apos;s origin</source>
        <translation>单击点：其路径；单击线：其头 · E 逐步 · Esc 取消固定 · Ctrl+单击：权重的来源</translation>
    </message>
    <message>
        <source>Select a line first, or a dot that a line leads into.</source>
        <translation>请先选择一条线，或有线通入的点。</translation>
    </message>
    <message>
        <source>See how information moves between tokens through the layers (attention rollout and contributions), including the residual stream.</source>
        <translation>查看信息如何逐层在词元之间流动（注意力 rollout 和贡献），包括残差流。</translation>
    </message>
    <message>
        <source>Flow</source>
        <translation>注意力流</translation>
    </message>
    <message>
        <source>How does information reach a token through all layers?</source>
        <translation>信息如何经过各层到达一个词元？</translation>
    </message>
</context>
<context>
    <name>headscope::ui::FlowSidePanel</name>
    <message>
        <source>Input tokens by weight</source>
        <translation>按权重排列的输入词元</translation>
    </message>
    <message>
        <source>Heads that carry the edge</source>
        <translation>承载此边的头</translation>
    </message>
    <message>
        <source>Width is the difference in weight: orange more in B, violet less.</source>
        <translation>线宽是权重之差：橙色在 B 中更多，紫色更少。</translation>
    </message>
    <message>
        <source>Width is the weight, 0 to 1.</source>
        <translation>线宽是权重，0 到 1。</translation>
    </message>
    <message>
        <source>All edges</source>
        <translation>所有边</translation>
    </message>
    <message>
        <source>Click a dot to see only the paths that lead into it, or a line to see the heads that carry it.</source>
        <translation>单击圆点只看通向它的路径，单击线查看承载它的头。</translation>
    </message>
    <message>
        <source>“%1”, input</source>
        <translation>“%1”，输入</translation>
    </message>
    <message>
        <source>“%1” after layer %2</source>
        <translation>层 %2 之后的“%1”</translation>
    </message>
    <message>
        <source>Only paths into this node are drawn. Click it again or press Esc to see all.</source>
        <translation>只画通向此节点的路径。再次单击或按 Esc 看全部。</translation>
    </message>
    <message>
        <source>Input tokens that reach it, weight; %1 of %2</source>
        <translation>到达它的输入词元，权重；%1 / %2</translation>
    </message>
    <message>
        <source>Input tokens that reach it, weight</source>
        <translation>到达它的输入词元，权重</translation>
    </message>
    <message>
        <source>Difference in weight %1.</source>
        <translation>权重之差 %1。</translation>
    </message>
    <message>
        <source>Weight %1.</source>
        <translation>权重 %1。</translation>
    </message>
    <message>
        <source>%1 of a token&apos;s weight on itself is the residual stream.</source>
        <translation>词元对自身的权重中有 %1 来自残差流。</translation>
    </message>
    <message>
        <source>Length of what each head adds:</source>
        <translation>每个头所加的长度：</translation>
    </message>
    <message>
        <source>Attention weight of each head:</source>
        <translation>每个头的注意力权重：</translation>
    </message>
    <message>
        <source>(%1 of %2)</source>
        <translation>（%1 / %2）</translation>
    </message>
    <message>
        <source>“%1” → “%2”, layer %3</source>
        <translation>“%1” → “%2”，层 %3</translation>
    </message>
</context>
<context>
    <name>headscope::ui::FlowWidget</name>
    <message>
        <source>Attention flow through the layers</source>
        <translation>穿过各层的注意力流</translation>
    </message>
</context>
<context>
    <name>headscope::ui::FormulaWidget</name>
    <message>
        <source>Formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <source>Copy as LaTeX</source>
        <translation>复制为 LaTeX</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ForwardRunner</name>
    <message>
        <source>Computation stopped; the view shows the previous text. Edit the text to continue.</source>
        <translation>计算已停止；视图显示的是之前的文本。编辑文本即可继续。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::GeneratedStrip</name>
    <message>
        <source>Generated tokens</source>
        <translation>生成的词元</translation>
    </message>
    <message>
        <source>token %1 of %2: %3; press Enter to return to the text before it</source>
        <translation>词元 %1 / %2：%3；Enter 回到它之前</translation>
    </message>
</context>
<context>
    <name>headscope::ui::GetModelDialog</name>
    <message>
        <source>Models on this machine</source>
        <translation>本机上的模型</translation>
    </message>
    <message>
        <source>Get a model</source>
        <translation>获取模型</translation>
    </message>
    <message>
        <source>Install with pip</source>
        <translation>只用 pip</translation>
    </message>
    <message>
        <source>Run one of these commands in a terminal, then choose Search again. No account is needed. Headscope itself downloads nothing.</source>
        <translation>在终端中运行其中一条命令，然后选择“重新查找”。无需账号；Headscope 本身不下载任何东西。</translation>
    </message>
    <message>
        <source>On this machine</source>
        <translation>在本机上</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Found in</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Any other model</source>
        <translation>其他模型</translation>
    </message>
    <message>
        <source>Copy a .gguf file, or a folder with config.json, model.safetensors and a tokenizer, to ~/models, or drop it on the window. Headscope searches:</source>
        <translation>把 .gguf 文件，或含有 config.json、model.safetensors 和分词器的文件夹放进 ~/models；或拖放到窗口上。Headscope 会在这些位置查找：</translation>
    </message>
    <message>
        <source>Searched folders</source>
        <translation>查找的位置</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Search again</source>
        <translation>重新查找(&amp;L)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>searching…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>none found</source>
        <translation>暂无</translation>
    </message>
    <message>
        <source>Command for %1</source>
        <translation>%1 的命令</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Copy command for %1</source>
        <translation>复制 %1 的命令</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
</context>
<context>
    <name>headscope::ui::GoToAnything</name>
    <message>
        <source>Go to anything</source>
        <translation>转到任意处</translation>
    </message>
    <message>
        <source>open %1</source>
        <translation>打开 %1</translation>
    </message>
</context>
<context>
    <name>headscope::ui::HeadCard</name>
    <message>
        <source>Open this head</source>
        <translation>打开此头</translation>
    </message>
    <message>
        <source>Thumbnail of this head</source>
        <translation>此头的缩略图</translation>
    </message>
    <message>
        <source>Attention by distance</source>
        <translation>向前看多远</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Ablate</source>
        <translation>消融</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>What the head does, with evidence</source>
        <translation>此头做什么，附依据</translation>
    </message>
    <message>
        <source>Scores</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>All scores and ranks of this head</source>
        <translation>此头的全部得分和排名</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Most-attending and most-attended tokens, and similar heads</source>
        <translation>最关注和最受关注的词元，以及相似的头</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>What the weights alone show</source>
        <translation>仅从权重看到的内容</translation>
    </message>
    <message>
        <source>Tabs of the card</source>
        <translation>卡片的分页</translation>
    </message>
    <message>
        <source>All scores of this head</source>
        <translation>此头的全部得分</translation>
    </message>
    <message>
        <source>Queries</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Attends to</source>
        <translation>关注</translation>
    </message>
    <message>
        <source>Similar heads</source>
        <translation>相似的头</translation>
    </message>
    <message>
        <source>Copying</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Singular values of QK: which tokens attend to which</source>
        <translation>QK 的奇异值：哪些词元关注哪些</translation>
    </message>
    <message>
        <source>QK spectrum</source>
        <translation>QK 谱</translation>
    </message>
    <message>
        <source>Singular values of OV: what is copied</source>
        <translation>OV 的奇异值：复制什么</translation>
    </message>
    <message>
        <source>OV spectrum</source>
        <translation>OV 谱</translation>
    </message>
    <message>
        <source>Input from earlier heads</source>
        <translation>来自前面的头的输入</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>它做什么</translation>
    </message>
</context>
<context>
    <name>headscope::ui::HeadGridWidget</name>
    <message>
        <source>All heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>Layer %1, head %2</source>
        <translation>层 %1，头 %2</translation>
    </message>
    <message>
        <source>Layer %1 · Head %2</source>
        <translation>层 %1 · 头 %2</translation>
    </message>
    <message>
        <source>, ablated</source>
        <translation>，已消融</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>层 %1</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>place %1</source>
        <translation>位置 %1</translation>
    </message>
</context>
<context>
    <name>headscope::ui::HeadMeasurement</name>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::HeadPage</name>
    <message>
        <source>Sums</source>
        <translation>总和</translation>
    </message>
    <message>
        <source>Attention pattern of one head</source>
        <translation>一个注意力头的注意力模式</translation>
    </message>
    <message>
        <source>Scale of the colours</source>
        <translation>颜色刻度</translation>
    </message>
    <message>
        <source>0 to 1</source>
        <translation>0 到 1</translation>
    </message>
    <message>
        <source>This head</source>
        <translation>此头</translation>
    </message>
    <message>
        <source>Up to the largest value of this head</source>
        <translation>到此头的最大值</translation>
    </message>
    <message>
        <source>Each row</source>
        <translation>每行</translation>
    </message>
    <message>
        <source>Every row up to its own largest value</source>
        <translation>每行到其自身最大值</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Each step of colour is a factor: small values show</source>
        <translation>每一级颜色是一个倍数：小的值也能看见</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>排名</translation>
    </message>
    <message>
        <source>By rank among all values of this head</source>
        <translation>按在此头全部数值中的排名</translation>
    </message>
    <message>
        <source>The sum of each row, and the attention each key receives</source>
        <translation>每行的总和，以及每个键所得</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>刻度</translation>
    </message>
    <message>
        <source>The same colours for every head and text</source>
        <translation>所有头和文本用同样的颜色</translation>
    </message>
    <message>
        <source>These values have no fixed range</source>
        <translation>这些值没有固定范围</translation>
    </message>
    <message>
        <source>Zoom %1×: show all</source>
        <translation>放大 %1 倍：显示全部</translation>
    </message>
    <message>
        <source>Arrows move the cell · Ctrl+wheel enlarges · Esc shows all · Ctrl+click: a number&apos;s origin</source>
        <translation>方向键移动单元格 · Ctrl+滚轮放大 · Esc 显示全部 · Ctrl+单击：数值的来源</translation>
    </message>
    <message>
        <source>An attribution depends on the whole forward pass. Choose “Attention weights” to see where a cell comes from.</source>
        <translation>归因由整次运行算出：要查看单元格的来源，请选择“注意力权重”。</translation>
    </message>
    <message>
        <source>%1: computing, %2 %</source>
        <translation>%1：正在计算，%2 %</translation>
    </message>
    <message>
        <source>%1 logits</source>
        <translation>%1 logit</translation>
    </message>
    <message>
        <source>This map is not available</source>
        <translation>此图不可用</translation>
    </message>
    <message>
        <source>One head in full: its attention pattern with row and column sums, on the scale of your choice. Zoom in to read the numbers.</source>
        <translation>一个头的全貌：权重以及行和列的总和，按你选择的刻度显示。放大即可读出数字。</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>单头</translation>
    </message>
    <message>
        <source>What does this head attend to, cell by cell?</source>
        <translation>这个注意力头逐格关注什么？</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Type a sentence above: attention follows every key.</source>
        <translation>在上方输入句子：注意力随每次按键更新。</translation>
    </message>
    <message>
        <source>row sum %1</source>
        <translation>行总和 %1</translation>
    </message>
    <message>
        <source>%1 + sink %2</source>
        <translation>%1 + 汇点 %2</translation>
    </message>
    <message>
        <source>%1 · “%2” receives %3</source>
        <translation>%1 · “%2”得到 %3</translation>
    </message>
</context>
<context>
    <name>headscope::ui::HeadSquares</name>
    <message>
        <source>Heads shown</source>
        <translation>显示的头</translation>
    </message>
    <message>
        <source>At least one head is always shown</source>
        <translation>总有一个头保持显示</translation>
    </message>
    <message>
        <source>Head %1: click to show or hide, double-click to show only this one</source>
        <translation>头 %1：单击在此显示或隐藏，双击只显示它</translation>
    </message>
    <message>
        <source>head %1, shown</source>
        <translation>头 %1，显示</translation>
    </message>
    <message>
        <source>head %1, not shown</source>
        <translation>头 %1，未显示</translation>
    </message>
</context>
<context>
    <name>headscope::ui::HeadTiles</name>
    <message>
        <source>Attention patterns of all heads</source>
        <translation>所有头的注意力模式</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>层 %1</translation>
    </message>
</context>
<context>
    <name>headscope::ui::HeadsControls</name>
    <message>
        <source>Find heads by</source>
        <translation>查找头，按</translation>
    </message>
    <message>
        <source>Measured on</source>
        <translation>测量于</translation>
    </message>
    <message>
        <source>Heads by behaviour</source>
        <translation>按行为查找注意力头</translation>
    </message>
    <message>
        <source>Number of heads</source>
        <translation>多少个头</translation>
    </message>
    <message>
        <source>All heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>First %1</source>
        <translation>前 %1 个</translation>
    </message>
    <message>
        <source>This text</source>
        <translation>此文本</translation>
    </message>
    <message>
        <source>Measure on the current sentence</source>
        <translation>在当前句子上测量</translation>
    </message>
    <message>
        <source>Random repeats</source>
        <translation>随机重复</translation>
    </message>
    <message>
        <source>Measure on a repeated sequence of random tokens, which only a copying head can predict</source>
        <translation>在重复的随机词元序列上测量，只有复制型的头能预测它</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Layers down, heads across</source>
        <translation>纵向为层，横向为头</translation>
    </message>
    <message>
        <source>Similar heads</source>
        <translation>相似的头</translation>
    </message>
    <message>
        <source>Nearby heads attend to the same tokens of this text</source>
        <translation>相近的头在此文本中关注相同的词元</translation>
    </message>
    <message>
        <source>Map type</source>
        <translation>图的类型</translation>
    </message>
    <message>
        <source>Any role</source>
        <translation>任意作用</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Measure standard texts</source>
        <translation>测量标准文本</translation>
    </message>
    <message>
        <source>measuring standard texts: %1 %</source>
        <translation>正在测量标准文本：%1 %</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>测量中</translation>
    </message>
    <message>
        <source>%1 of %2 heads</source>
        <translation>%2 个头中的 %1 个</translation>
    </message>
    <message>
        <source>%1 heads scored</source>
        <translation>已给 %1 个头打分</translation>
    </message>
</context>
<context>
    <name>headscope::ui::HeadsPage</name>
    <message>
        <source>Map of scores</source>
        <translation>得分图</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Type a sentence above to measure every head on it, or measure them on random repeats.</source>
        <translation>在上方输入句子，用它测量每个头，或在随机重复上测量。</translation>
    </message>
    <message>
        <source>Map of similar heads</source>
        <translation>相似的头的分布图</translation>
    </message>
    <message>
        <source>Head and role</source>
        <translation>头及其作用</translation>
    </message>
    <message>
        <source>Head %1.%2
%3</source>
        <translation>头 %1.%2
%3</translation>
    </message>
    <message>
        <source>, rank %1 of %2</source>
        <translation>，排名 %1 / %2</translation>
    </message>
    <message>
        <source>Arrows select head and column · Space reverses the order · Enter opens · Ctrl+Enter: the weight&apos;s origin</source>
        <translation>方向键选择头和列 · 空格反转次序 · Enter 打开 · Ctrl+Enter：权重的来源</translation>
    </message>
    <message>
        <source>Find heads by behaviour. Sort all heads by a score; select one to see what it does.</source>
        <translation>按行为查找注意力头。按得分对所有头排序；选择一个查看它做什么。</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>查找注意力头</translation>
    </message>
    <message>
        <source>Which heads behave in a known way?</source>
        <translation>哪些注意力头有已知的行为？</translation>
    </message>
</context>
<context>
    <name>headscope::ui::HeadsSidePanel</name>
    <message>
        <source>Head %1.%2</source>
        <translation>头 %1.%2</translation>
    </message>
    <message>
        <source>KV group %1</source>
        <translation>KV 组 %1</translation>
    </message>
    <message>
        <source>%1: not defined</source>
        <translation>%1：无定义</translation>
    </message>
    <message>
        <source>%1,
rank %2 of %3</source>
        <translation>%1，
排名 %2 / %3</translation>
    </message>
    <message>
        <source>No label: no score stands out.</source>
        <translation>没有标签：没有突出的得分。</translation>
    </message>
    <message>
        <source>Select one to see the evidence.</source>
        <translation>选择一个以查看依据。</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>On this text</source>
        <translation>在此文本上</translation>
    </message>
    <message>
        <source>weights 0 to 1</source>
        <translation>权重 0 到 1</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>a sample sentence</source>
        <translation>示例句子</translation>
    </message>
    <message>
        <source>random tokens, repeated</source>
        <translation>重复的随机词元</translation>
    </message>
    <message>
        <source>Open on that sentence</source>
        <translation>在那个句子上打开</translation>
    </message>
    <message>
        <source>On random repeats</source>
        <translation>在随机重复上</translation>
    </message>
    <message>
        <source>%1 tokens, repeated</source>
        <translation>%1 个词元，重复</translation>
    </message>
    <message>
        <source>query and key belong to different texts</source>
        <translation>查询和键属于不同的文本</translation>
    </message>
    <message>
        <source>fraction of attention, by distance in tokens</source>
        <translation>注意力比例，按词元距离</translation>
    </message>
    <message>
        <source>No measurements yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>With the rank among %1 heads; scores not defined on this text are omitted. Entropy in nats, %2 bits.</source>
        <translation>附在 %1 个头中的排名；省略此文本上无定义的得分。熵以奈特计，合 %2 比特。</translation>
    </message>
    <message>
        <source>Mean weight beyond the first token, over %1 sample sentences.</source>
        <translation>首词元以外的平均权重，取自 %1 个示例句子。</translation>
    </message>
    <message>
        <source>Mean weight beyond the first token, on this text.</source>
        <translation>首词元以外的平均权重，取自此文本。</translation>
    </message>
    <message>
        <source>Not compared yet.</source>
        <translation>尚未比较。</translation>
    </message>
    <message>
        <source>Jensen-Shannon distance on this text: 0 identical, 0.69 disjoint.</source>
        <translation>此文本上的 Jensen-Shannon 距离：0 为相同，0.69 为不相交。</translation>
    </message>
    <message>
        <source>Not measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>Not defined: %1</source>
        <translation>无定义：%1</translation>
    </message>
    <message>
        <source>%1 (-1 to 1): %2</source>
        <translation>%1（-1 到 1）：%2</translation>
    </message>
    <message>
        <source>it raises the logit of the attended token.</source>
        <translation>它提高所关注词元的 logit。</translation>
    </message>
    <message>
        <source>it lowers the logit of the attended token.</source>
        <translation>它降低所关注词元的 logit。</translation>
    </message>
    <message>
        <source>it does not copy tokens.</source>
        <translation>它不复制词元。</translation>
    </message>
    <message>
        <source>A captured trace has no weights.</source>
        <translation>捕获的追踪没有权重。</translation>
    </message>
    <message>
        <source>Reading the weights…</source>
        <translation>正在读取权重…</translation>
    </message>
    <message>
        <source>There are no earlier heads to read from.</source>
        <translation>前面没有可读取的头。</translation>
    </message>
    <message>
        <source>Composition into queries (Q), keys (K) or values (V), above the %1 of random heads.</source>
        <translation>对查询（Q）、键（K）或值（V）的组合，高于随机头的 %1 的部分。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::HeatmapWidget</name>
    <message>
        <source>Attention map</source>
        <translation>注意力图</translation>
    </message>
</context>
<context>
    <name>headscope::ui::InspectorFrame</name>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
</context>
<context>
    <name>headscope::ui::InspectorPage</name>
    <message>
        <source>hidden by the mask: </source>
        <translation>被掩码隐藏：</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Keys that this query attends to most</source>
        <translation>此查询最关注的键</translation>
    </message>
    <message>
        <source>Where the score comes from</source>
        <translation>得分从何而来</translation>
    </message>
    <message>
        <source>Where the weight comes from</source>
        <translation>权重从何而来</translation>
    </message>
    <message>
        <source>Next token</source>
        <translation>下一词元</translation>
    </message>
    <message>
        <source>Most likely next tokens</source>
        <translation>最可能的下一词元</translation>
    </message>
    <message>
        <source>Entropy of the row</source>
        <translation>行的熵</translation>
    </message>
    <message>
        <source>Row sum</source>
        <translation>行的总和</translation>
    </message>
    <message>
        <source>Mean on the first token</source>
        <translation>首词元上的平均</translation>
    </message>
    <message>
        <source>A high attention weight is not proof of effect</source>
        <translation>注意力权重高并不证明有影响</translation>
    </message>
    <message>
        <source>B: %1</source>
        <translation>B：%1</translation>
    </message>
    <message>
        <source>Queries and keys of %1 dimensions</source>
        <translation>%1 维的查询和键</translation>
    </message>
    <message>
        <source>%1 more keys, total %2</source>
        <translation>另有 %1 个键，合计 %2</translation>
    </message>
    <message>
        <source>Where %1 comes from</source>
        <translation>%1 从何而来</translation>
    </message>
    <message>
        <source>after “%1”</source>
        <translation>“%1”之后</translation>
    </message>
    <message>
        <source>%1 bits</source>
        <translation>%1 比特</translation>
    </message>
    <message>
        <source>This head is ablated in B. &lt;a href=&quot;on&quot;&gt;Restore it&lt;/a&gt;.</source>
        <translation>此头在 B 中被消融。&lt;a href=&quot;on&quot;&gt;恢复它&lt;/a&gt;。</translation>
    </message>
    <message>
        <source>A high attention weight is not proof of effect. &lt;a href=&quot;off&quot;&gt;Ablate this head&lt;/a&gt; and watch the prediction.</source>
        <translation>注意力权重高并不证明有影响。&lt;a href=&quot;off&quot;&gt;消融此头&lt;/a&gt;并观察预测。</translation>
    </message>
    <message>
        <source>Captured elsewhere; changes are not available</source>
        <translation>在别处捕获；无法更改</translation>
    </message>
    <message>
        <source>sum of %1 weights</source>
        <translation>%1 个权重之和</translation>
    </message>
    <message>
        <source>at “%1”</source>
        <translation>在“%1”处</translation>
    </message>
    <message>
        <source>%1 + sink %2</source>
        <translation>%1 + 汇点 %2</translation>
    </message>
    <message>
        <source>An intervention replaces the computed %1 with %2.</source>
        <translation>干预将计算得到的 %1 替换为 %2。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LabChooser</name>
    <message>
        <source>Previous lab</source>
        <translation>上一个实验室</translation>
    </message>
    <message>
        <source>Next lab</source>
        <translation>下一个实验室</translation>
    </message>
    <message>
        <source>All labs ▾</source>
        <translation>所有实验室 ▾</translation>
    </message>
    <message>
        <source>Lab %1 of %2 ▾</source>
        <translation>实验室 %1 / %2 ▾</translation>
    </message>
    <message>
        <source>Choose a lab</source>
        <translation>选择实验室</translation>
    </message>
    <message>
        <source>All labs, with search</source>
        <translation>所有实验室，可搜索</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LabControls</name>
    <message>
        <source>%1 to %2; click the number, or press F2, to type one</source>
        <translation>%1 到 %2；单击数字或按 F2 可直接输入</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LabList</name>
    <message>
        <source>Labs</source>
        <translation>实验室</translation>
    </message>
    <message>
        <source>Type to find a lab</source>
        <translation>输入以查找实验室</translation>
    </message>
    <message>
        <source>Find a lab</source>
        <translation>查找实验室</translation>
    </message>
    <message>
        <source>Labs that match</source>
        <translation>匹配的实验室</translation>
    </message>
    <message>
        <source>No matching labs</source>
        <translation>没有匹配的实验室</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LabPage</name>
    <message>
        <source>Number</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Open the experiments</source>
        <translation>打开实验页面</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>No labs</source>
        <translation>没有实验室</translation>
    </message>
    <message>
        <source>Hide answer</source>
        <translation>隐藏答案</translation>
    </message>
    <message>
        <source>Show answer</source>
        <translation>显示答案</translation>
    </message>
    <message>
        <source>Run the lab first: the answer refers to its numbers.</source>
        <translation>请先运行实验室：答案要用到其数值。</translation>
    </message>
    <message>
        <source>%1 · measured here</source>
        <translation>%1 · 此处实测</translation>
    </message>
    <message>
        <source>Change a control to see its effect · Tab moves to the figures, arrows read them</source>
        <translation>更改控件以查看其效果 · Tab 转到图，方向键读图</translation>
    </message>
    <message>
        <source>The numbers here were computed by the lab from its controls.</source>
        <translation>这里的数值由实验室根据其控件算出。</translation>
    </message>
    <message>
        <source>Try one part of the subject: change the controls and watch the result. The right side has a question, its answer and the numbers. Choose another lab at the top right.</source>
        <translation>试验主题的一个部分：更改控件并观察结果。右侧有一个问题、其答案和数值。可在右上角选择另一个实验室。</translation>
    </message>
    <message>
        <source>Labs</source>
        <translation>实验室</translation>
    </message>
    <message>
        <source>What happens when you turn one control?</source>
        <translation>改变一个控件会发生什么？</translation>
    </message>
    <message>
        <source>&amp;Code</source>
        <translation>代码(&amp;C)</translation>
    </message>
    <message>
        <source>Show the computation as a program, in C++ or PyTorch</source>
        <translation>把这个计算显示为 C++ 或 PyTorch 程序</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LabPanelBox</name>
    <message>
        <source>Highlighted</source>
        <translation>突出显示</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LabStage</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Result of the lab</source>
        <translation>实验室的结果</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>再次运行</translation>
    </message>
    <message>
        <source>No results yet. Press Run; it takes a moment.</source>
        <translation>尚无结果。请按“运行”；需要片刻。</translation>
    </message>
    <message>
        <source>The figures show earlier settings. Run again.</source>
        <translation>这些图显示的是之前的设置。请再次运行。</translation>
    </message>
    <message>
        <source>Measured on this machine.</source>
        <translation>在本机上测得。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
</context>
<context>
    <name>headscope::ui::Labels</name>
    <message>
        <source>%1 adds 0</source>
        <translation>%1 贡献 0</translation>
    </message>
    <message>
        <source>%1 adds almost 0</source>
        <translation>%1 几乎贡献 0</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LensCellPanel</name>
    <message>
        <source>Most likely tokens of the cell</source>
        <translation>单元格中最可能的词元</translation>
    </message>
    <message>
        <source>“%1” %2</source>
        <translation>“%1” %2</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LensCharts</name>
    <message>
        <source>Probability of the target through the layers</source>
        <translation>目标的概率随层的变化</translation>
    </message>
    <message>
        <source>Rank of the target through the layers</source>
        <translation>目标的排名随层的变化</translation>
    </message>
    <message>
        <source>Entropy and KL through the layers</source>
        <translation>熵和 KL 随层的变化</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LensGrid</name>
    <message>
        <source>Predictions by layer</source>
        <translation>逐层预测</translation>
    </message>
    <message>
        <source>token %1, layer %2: predicts %3, probability %4</source>
        <translation>词元 %1，层 %2：预测 %3，概率 %4</translation>
    </message>
    <message>
        <source>, differs</source>
        <translation>，不同</translation>
    </message>
    <message>
        <source>, reached by the patch</source>
        <translation>，修补可影响</translation>
    </message>
    <message>
        <source>not a token of this text</source>
        <translation>不是此文本的词元</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LensPage</name>
    <message>
        <source>Arrows move between cells · click a bar to follow its token · Ctrl+click: a probability&apos;s origin</source>
        <translation>方向键在单元格间移动 · 单击条形跟踪其词元 · Ctrl+单击：概率的来源</translation>
    </message>
    <message>
        <source>Select a cell of the grid first.</source>
        <translation>请先选择网格中的一个单元格。</translation>
    </message>
    <message>
        <source>Include between attention and MLP</source>
        <translation>包括注意力与 MLP 之间</translation>
    </message>
    <message>
        <source>Predictions: tokens down, stages across</source>
        <translation>预测：纵向为词元，横向为阶段</translation>
    </message>
    <message>
        <source>Logit lens</source>
        <translation>logit 透镜</translation>
    </message>
    <message>
        <source>Final norm and unembedding applied at each stage</source>
        <translation>在每个阶段应用最终归一化和反嵌入</translation>
    </message>
    <message>
        <source>Tuned lens</source>
        <translation>调谐透镜</translation>
    </message>
    <message>
        <source>Logit lens after an affine map, trained per stage to match the model&apos;s output</source>
        <translation>先经过仿射映射的 logit 透镜；映射为每个阶段单独训练，以匹配模型的输出</translation>
    </message>
    <message>
        <source>Lens</source>
        <translation>透镜</translation>
    </message>
    <message>
        <source>Prediction at each layer</source>
        <translation>每层的预测</translation>
    </message>
    <message>
        <source>Quantity in the cells</source>
        <translation>单元格中的量</translation>
    </message>
    <message>
        <source>Adds a column per layer: the residual stream after its attention</source>
        <translation>每层多一列：注意力之后的残差流</translation>
    </message>
    <message>
        <source>This model&apos;s layers have attention only, so there is no stage in between</source>
        <translation>此模型的层只有注意力，因此没有中间阶段</translation>
    </message>
    <message>
        <source>A captured trace has no unembedding. Open the model to use the lens.</source>
        <translation>捕获的追踪没有反嵌入。打开模型以使用透镜。</translation>
    </message>
    <message>
        <source>This model has no language head, so there is no lens.</source>
        <translation>此模型没有语言模型头，因此没有透镜。</translation>
    </message>
    <message>
        <source>This model has no layers to read.</source>
        <translation>此模型没有可读取的层。</translation>
    </message>
    <message>
        <source>Train the tuned lens above, or use the logit lens.</source>
        <translation>请在上方训练调谐透镜，或使用 logit 透镜。</translation>
    </message>
    <message>
        <source>The tuned lens was trained for A&apos;s model. Use the logit lens for B&apos;s.</source>
        <translation>调谐透镜是为 A 的模型训练的。请对 B 的模型使用 logit 透镜。</translation>
    </message>
    <message>
        <source>Type a sentence above to see the prediction at each layer.</source>
        <translation>在上方输入句子以查看每层的预测。</translation>
    </message>
    <message>
        <source>No lens available</source>
        <translation>没有可用的透镜</translation>
    </message>
    <message>
        <source>Read the residual stream after each layer as a prediction, with the model&apos;s own unembedding (logit lens) or a trained map (tuned lens). Follow any token&apos;s rank and probability through the layers.</source>
        <translation>把每层之后的残差流读作预测，用模型自己的反嵌入（logit 透镜）或训练得到的映射（调谐透镜）。可逐层跟踪任一词元的排名和概率。</translation>
    </message>
    <message>
        <source>What does each layer predict so far?</source>
        <translation>每一层到此为止预测什么？</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LensTargetRow</name>
    <message>
        <source>Target token</source>
        <translation>目标词元</translation>
    </message>
    <message>
        <source>a token, or #id</source>
        <translation>一个词元，或 #编号</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Next token</source>
        <translation>下一词元</translation>
    </message>
    <message>
        <source>The actual next token of the text; after the last token, the model&apos;s prediction; for an encoder, the token itself</source>
        <translation>文本实际的下一词元；最后一个词元之后为模型的预测；编码器则为词元本身</translation>
    </message>
    <message>
        <source>Model&apos;s prediction</source>
        <translation>模型的预测</translation>
    </message>
    <message>
        <source>The model&apos;s top-1 token at the last layer</source>
        <translation>模型在最后一层的 top-1 词元</translation>
    </message>
    <message>
        <source>One token</source>
        <translation>一个词元</translation>
    </message>
    <message>
        <source>The same token at every position</source>
        <translation>每个位置都用同一个词元</translation>
    </message>
    <message>
        <source>“%1” is not a token of this model.</source>
        <translation>“%1”不是此模型的词元。</translation>
    </message>
    <message>
        <source>“%1” is %2 tokens. The first one is followed.</source>
        <translation>“%1”是 %2 个词元。将跟踪第一个。</translation>
    </message>
    <message>
        <source>%1: B alone is shown</source>
        <translation>%1：只显示 B</translation>
    </message>
    <message>
        <source>reading the stages, %1 %</source>
        <translation>正在读取各阶段，%1 %</translation>
    </message>
    <message>
        <source>after the last token: the model&apos;s prediction</source>
        <translation>最后一个词元之后：模型的预测</translation>
    </message>
    <message>
        <source>not defined: this model has no token %1</source>
        <translation>无定义：此模型没有词元 %1</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LensTrainingPanel</name>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source> steps</source>
        <translation> 步</translation>
    </message>
    <message>
        <source>Training steps</source>
        <translation>训练步数</translation>
    </message>
    <message>
        <source>Trains on your text, the sample sentence and text generated by the model</source>
        <translation>在你的文本、示例句子和模型生成的文本上训练</translation>
    </message>
    <message>
        <source>Lens training</source>
        <translation>透镜的训练</translation>
    </message>
    <message>
        <source>Cancelled. Nothing was saved.</source>
        <translation>已取消。没有保存任何内容。</translation>
    </message>
    <message>
        <source>Saved to %1, for the previous model.</source>
        <translation>已存入 %1，供之前的模型使用。</translation>
    </message>
    <message>
        <source>Train again</source>
        <translation>重新训练</translation>
    </message>
    <message>
        <source>generating text: %1 of %2 tokens</source>
        <translation>正在生成文本：%1 / %2 个词元</translation>
    </message>
    <message>
        <source>reading the texts</source>
        <translation>正在读取文本</translation>
    </message>
    <message>
        <source>step %1 of %2, mean KL %3 nats</source>
        <translation>第 %1 步，共 %2 步，平均 KL %3 奈特</translation>
    </message>
    <message>
        <source>This model has no tuned lens yet.</source>
        <translation>此模型还没有调谐透镜。</translation>
    </message>
    <message>
        <source>KL on held-out text %1 → %2 nats after %3 steps; saved to %4</source>
        <translation>留出文本上的 KL %1 → %2 奈特，经过 %3 步；已存入 %4</translation>
    </message>
    <message>
        <source>KL on held-out text %1 → %2 nats after %3 steps; from %4</source>
        <translation>留出文本上的 KL %1 → %2 奈特，经过 %3 步；来自 %4</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LessonAuthorForm</name>
    <message>
        <source>at %1</source>
        <translation>停在 %1</translation>
    </message>
    <message>
        <source>Shows the worked example “%1”</source>
        <translation>显示例题“%1”</translation>
    </message>
    <message>
        <source>Shows the lab “%1”</source>
        <translation>显示实验室“%1”</translation>
    </message>
    <message>
        <source>Shows the page “%1”</source>
        <translation>显示页面“%1”</translation>
    </message>
    <message>
        <source>Title of the step</source>
        <translation>步骤的标题</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Correct number</source>
        <translation>正确的数</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>允许误差</translation>
    </message>
    <message>
        <source>Feedback when correct</source>
        <translation>答对时</translation>
    </message>
    <message>
        <source>Feedback when wrong</source>
        <translation>答错时</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>备选答案</translation>
    </message>
    <message>
        <source>Kind of question</source>
        <translation>问题的类型</translation>
    </message>
    <message>
        <source>What to see here, in a few short sentences</source>
        <translation>这里要看什么，用几个短句说明</translation>
    </message>
    <message>
        <source>No question</source>
        <translation>不提问</translation>
    </message>
    <message>
        <source>Ask for a number</source>
        <translation>填数题</translation>
    </message>
    <message>
        <source>Ask for a choice</source>
        <translation>选择题</translation>
    </message>
    <message>
        <source>**bold**  *italic*  $formula$  [words](term:softmax)  {{scores[2,0]|2}}</source>
        <translation>**粗体**  *斜体*  $公式$  [文字](term:softmax)  {{scores[2,0]|2}}</translation>
    </message>
    <message>
        <source>Location of the number, such as output[2,1]</source>
        <translation>数的位置，如 output[2,1]</translation>
    </message>
    <message>
        <source>One answer per line; start the correct one with *</source>
        <translation>每行一个答案；正确的以 * 开头</translation>
    </message>
    <message>
        <source>When correct: why</source>
        <translation>答对时：为什么对</translation>
    </message>
    <message>
        <source>When wrong: how to find it</source>
        <translation>答错时：如何找到答案</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LessonAuthorPage</name>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>step %1: %2</source>
        <translation>第 %1 步：%2</translation>
    </message>
    <message>
        <source>Title of the lesson</source>
        <translation>课的标题</translation>
    </message>
    <message>
        <source>Summary in one sentence</source>
        <translation>用一句话说明内容</translation>
    </message>
    <message>
        <source>Steps of your lesson</source>
        <translation>你的课的步骤</translation>
    </message>
    <message>
        <source>Move the step up (Alt+Up)</source>
        <translation>上移步骤 (Alt+Up)</translation>
    </message>
    <message>
        <source>Move the step down (Alt+Down)</source>
        <translation>下移步骤 (Alt+Down)</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete the step (Del); Undo brings it back</source>
        <translation>删除步骤 (Del)；撤销可恢复</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo the last change of your lesson</source>
        <translation>撤销对你的课的上一次更改</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Redo the change</source>
        <translation>重做此更改</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>summary</source>
        <translation>简介</translation>
    </message>
    <message>
        <source>Problems with the lesson</source>
        <translation>课中的问题</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Play the lesson to have answers checked.</source>
        <translation>播放此课即可检查答案。</translation>
    </message>
    <message>
        <source>Type a number, such as 0.25 or 1/4.</source>
        <translation>输入一个数，例如 0.25 或 1/4。</translation>
    </message>
    <message>
        <source>Not saved to a file; the draft is kept.</source>
        <translation>尚未存入文件；草稿已保留。</translation>
    </message>
    <message>
        <source>Saved in %1.</source>
        <translation>已存入 %1。</translation>
    </message>
    <message>
        <source>Unsaved changes; saved in %1.</source>
        <translation>有未保存的更改；存入 %1。</translation>
    </message>
    <message>
        <source>untitled</source>
        <translation>无标题</translation>
    </message>
    <message>
        <source>No problems.</source>
        <translation>没有问题。</translation>
    </message>
    <message>
        <source>Ctrl+Shift+D adds the state of a page · Alt+↑ ↓ reorder · Del deletes</source>
        <translation>Ctrl+Shift+D 添加页面的状态 · Alt+↑ ↓ 调整顺序 · Del 删除</translation>
    </message>
    <message>
        <source>Write a lesson: each step is a state of the window added with Ctrl+Shift+D, with a text and a question. The right side shows a preview and any problems.</source>
        <translation>编写一课：每一步是用 Ctrl+Shift+D 添加的窗口状态，配有文本和问题。右侧显示预览和存在的问题。</translation>
    </message>
    <message>
        <source>Your lesson</source>
        <translation>你的课</translation>
    </message>
    <message>
        <source>What would you like to teach?</source>
        <translation>你想教什么？</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新建</translation>
    </message>
    <message>
        <source>Start a new lesson; Undo brings this one back</source>
        <translation>开始新的课程；撤销可恢复当前课程</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LessonChoice</name>
    <message>
        <source>correct</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>incorrect</source>
        <translation>错误</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LessonColumn</name>
    <message>
        <source>Every input cell can be edited; all later steps follow.</source>
        <translation>每个输入单元格都可修改；之后的步骤随之更新。</translation>
    </message>
    <message>
        <source>Computing the numbers of this step</source>
        <translation>正在计算此步骤的数值</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课</translation>
    </message>
    <message>
        <source>Leave lesson</source>
        <translation>离开此课</translation>
    </message>
    <message>
        <source>Lesson %1 · %2</source>
        <translation>第 %1 课 · %2</translation>
    </message>
    <message>
        <source>Lesson · %1</source>
        <translation>课 · %1</translation>
    </message>
    <message>
        <source>Step %1/%2</source>
        <translation>第 %1/%2 步</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Next lesson</source>
        <translation>下一课</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LessonDesk</name>
    <message>
        <source>Lesson</source>
        <translation>课</translation>
    </message>
    <message>
        <source>No lesson explains %1.</source>
        <translation>没有讲解 %1 的课。</translation>
    </message>
    <message>
        <source>lesson: %1</source>
        <translation>课：%1</translation>
    </message>
    <message>
        <source>%1 — lesson %2</source>
        <translation>%1 — 课：%2</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LessonExample</name>
    <message>
        <source>&amp;Code</source>
        <translation>代码(&amp;C)</translation>
    </message>
    <message>
        <source>Show this calculation as a program, in C++ or PyTorch</source>
        <translation>把这个计算显示为 C++ 或 PyTorch 程序</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LessonFiles</name>
    <message>
        <source>your lesson</source>
        <translation>你的课</translation>
    </message>
    <message>
        <source>This page has no state to add. Open another page, a worked example or a lab.</source>
        <translation>此页面没有可添加的状态。请打开另一个页面、例题或实验室。</translation>
    </message>
    <message>
        <source>Added as step %1 of your lesson.</source>
        <translation>已添加为你的课的第 %1 步。</translation>
    </message>
    <message>
        <source>Edit text</source>
        <translation>编辑文本</translation>
    </message>
    <message>
        <source>Open a lesson</source>
        <translation>打开一课</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Save your lesson</source>
        <translation>保存你的课</translation>
    </message>
    <message>
        <source>Lesson saved to %1.</source>
        <translation>你的课已存入 %1。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LessonList</name>
    <message>
        <source>Lessons of the course</source>
        <translation>课程中的各课</translation>
    </message>
    <message>
        <source>Chapter: %1</source>
        <translation>章：%1</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>未开始</translation>
    </message>
    <message>
        <source>%1 of %2 steps seen</source>
        <translation>已看 %1 / %2 步</translation>
    </message>
    <message>
        <source>done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Lesson %1, %2. %3 %4</source>
        <translation>第 %1 课，%2。%3 %4</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LessonRun</name>
    <message>
        <source>Right.</source>
        <translation>正确。</translation>
    </message>
    <message>
        <source>Type a number, such as 0.25 or 1/4.</source>
        <translation>输入一个数，例如 0.25 或 1/4。</translation>
    </message>
    <message>
        <source>Not yet: the number is larger.</source>
        <translation>还不对：这个数更大。</translation>
    </message>
    <message>
        <source>Not yet: the number is smaller.</source>
        <translation>还不对：这个数更小。</translation>
    </message>
    <message>
        <source>Not yet.</source>
        <translation>还不对。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LessonStage</name>
    <message>
        <source>This step cannot be shown</source>
        <translation>无法显示此步骤</translation>
    </message>
    <message>
        <source>This step is on another page</source>
        <translation>此步骤在另一个页面上</translation>
    </message>
    <message>
        <source>Its text stays on the right while the page is open.</source>
        <translation>打开该页面时，其文本留在右侧。</translation>
    </message>
    <message>
        <source>Show the page</source>
        <translation>显示页面</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LessonStart</name>
    <message>
        <source>Open the example</source>
        <translation>打开示例</translation>
    </message>
    <message>
        <source>New lesson</source>
        <translation>新建课程</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Open a copy of the example to change</source>
        <translation>打开示例的副本来修改</translation>
    </message>
    <message>
        <source>Start with one step, the overview of the text above</source>
        <translation>从一个步骤开始：上面文本的总览</translation>
    </message>
    <message>
        <source>Write your own lesson</source>
        <translation>编写自己的课程</translation>
    </message>
    <message>
        <source>A lesson is a series of saved states of the window, each with a text and, if you like, a question. Open the example and change it, or start with an empty one.</source>
        <translation>课程是一系列保存下来的窗口状态，每个状态配有一段文字，也可以有一个问题。打开示例来修改，或从空白课程开始。</translation>
    </message>
    <message>
        <source>To add a step, set up any page, worked example or lab and press Ctrl+Shift+D: “Add current view as a step”.</source>
        <translation>要添加步骤，请设置好任一页面、例题或实验，然后按 Ctrl+Shift+D：“将当前视图添加为步骤”。</translation>
    </message>
    <message>
        <source>Question: %1</source>
        <translation>问题：%1</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LessonStepView</name>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Your turn</source>
        <translation>轮到你了</translation>
    </message>
    <message>
        <source>Your answer</source>
        <translation>你的答案</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LessonText</name>
    <message>
        <source>Link: %1</source>
        <translation>链接：%1</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy text</source>
        <translation>复制文本</translation>
    </message>
    <message>
        <source>Copy formula as LaTeX</source>
        <translation>将公式复制为 LaTeX</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LessonsContents</name>
    <message>
        <source>No lessons</source>
        <translation>没有课程</translation>
    </message>
    <message>
        <source>%1 of %2 lessons done</source>
        <translation>已完成 %1 / %2 课</translation>
    </message>
    <message>
        <source>Continue: %1</source>
        <translation>继续：%1</translation>
    </message>
    <message>
        <source>Begin</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Erase progress? Press again to confirm</source>
        <translation>清除进度？再按一次确认</translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>从头开始</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LessonsPage</name>
    <message>
        <source>Alt+PgDown next step · Alt+PgUp previous · Shift+F11 present</source>
        <translation>Alt+PgDown 下一步 · Alt+PgUp 上一步 · Shift+F11 演示</translation>
    </message>
    <message>
        <source>Arrows move · Enter opens a lesson</source>
        <translation>方向键移动 · Enter 打开一课</translation>
    </message>
    <message>
        <source>Take the course lesson by lesson; your progress is saved. In a lesson, this side shows the model and the right side the text. Every number in the text is computed from what you see.</source>
        <translation>逐课学习课程；你的进度会保存。上课时，这一侧显示模型，右侧显示文本。文本中的每个数都由你所见的内容算出。</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>How does attention work, step by step?</source>
        <translation>注意力是怎样一步步工作的？</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LineChart</name>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>%1 %2: %3 %4</source>
        <translation>%1 %2：%3 %4</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LineChartPlot</name>
    <message>
        <source>perplexity</source>
        <translation>困惑度</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ListingPanel</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Lines of code</source>
        <translation>代码行</translation>
    </message>
    <message>
        <source>Listing</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Language of the code</source>
        <translation>代码的语言</translation>
    </message>
    <message>
        <source>The program&apos;s own operations</source>
        <translation>本程序自己的运算</translation>
    </message>
    <message>
        <source>The same in PyTorch</source>
        <translation>同样的计算，用 PyTorch</translation>
    </message>
    <message>
        <source>Copy the whole listing</source>
        <translation>复制整个程序</translation>
    </message>
    <message>
        <source>Choose a line with a shape</source>
        <translation>选择一个带形状的行</translation>
    </message>
    <message>
        <source>No worked example computes this listing.</source>
        <translation>没有例题计算这段程序。</translation>
    </message>
    <message>
        <source>“%1” does not show this number.</source>
        <translation>“%1”中没有这个数。</translation>
    </message>
    <message>
        <source>%1, in “%2”</source>
        <translation>%1，见“%2”</translation>
    </message>
</context>
<context>
    <name>headscope::ui::LoadingBar</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Long-running task</source>
        <translation>耗时的任务</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Cancel and keep the current view (Esc)</source>
        <translation>取消并保留当前视图 (Esc)</translation>
    </message>
    <message>
        <source>Computing the attention of this text</source>
        <translation>正在计算这段文本的注意力</translation>
    </message>
    <message>
        <source>Opening %1: %2 of %3 MB read</source>
        <translation>正在打开 %1：已读 %3 MB 中的 %2 MB</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>正在打开 %1</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>headscope::ui::MainWindow</name>
    <message>
        <source>Headscope</source>
        <translation>Headscope</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>headscope::ui::Making</name>
    <message>
        <source>Not defined for cross-attention: rollout and flow follow self-attention from layer to layer.</source>
        <translation>对交叉注意力无定义：rollout 和注意力流逐层跟随自注意力。</translation>
    </message>
    <message>
        <source>Not defined for a captured trace: it needs the model&apos;s weights.</source>
        <translation>对捕获的追踪无定义：需要模型的权重。</translation>
    </message>
    <message>
        <source>Attention flow is limited to texts of %1 tokens; this one has %2.</source>
        <translation>注意力流限于 %1 个词元的文本；此文本有 %2 个。</translation>
    </message>
    <message>
        <source>The cells of all heads sum to %1 logits; without this layer&apos;s attention the logit falls by %2 (%3 steps).</source>
        <translation>所有头的单元格之和为 %1 logit；没有此层的注意力时，logit 下降 %2（%3 步）。</translation>
    </message>
    <message>
        <source>Each layer&apos;s cells sum to its attention&apos;s effect on the logit, to within %1.</source>
        <translation>每层的单元格之和等于其注意力对 logit 的影响，误差不超过 %1。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ManualDesk</name>
    <message>
        <source>manual: %1</source>
        <translation>手册：%1</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ManualDialog</name>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>手册</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Search the manual</source>
        <translation>搜索手册</translation>
    </message>
    <message>
        <source>Pages of the manual</source>
        <translation>手册的页面</translation>
    </message>
    <message>
        <source>Page of the manual</source>
        <translation>手册页面</translation>
    </message>
    <message>
        <source>No page contains these words</source>
        <translation>没有页面包含这些词</translation>
    </message>
</context>
<context>
    <name>headscope::ui::MapKindBox</name>
    <message>
        <source>Quantity shown in place of attention</source>
        <translation>代替注意力显示的量</translation>
    </message>
    <message>
        <source>Attention itself, or an attribution on the same scale</source>
        <translation>注意力本身，或同一刻度上的归因</translation>
    </message>
</context>
<context>
    <name>headscope::ui::MaskAsTrained</name>
    <message>
        <source>Visible keys per query</source>
        <translation>每个查询可见的键</translation>
    </message>
    <message>
        <source>B’s mask is as trained. Try another mask on the right.</source>
        <translation>B 的掩码与训练时相同。请在右侧尝试另一种掩码。</translation>
    </message>
    <message>
        <source>A window of %1 %2.</source>
        <translation>窗口大小为 %1：%2。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::MaskChange</name>
    <message>
        <source>as trained</source>
        <translation>训练所得</translation>
    </message>
    <message>
        <source>no mask</source>
        <translation>无掩码</translation>
    </message>
    <message>
        <source>window of 1 token</source>
        <translation>1 个词元的窗口</translation>
    </message>
    <message>
        <source>window of %1 tokens</source>
        <translation>%1 个词元的窗口</translation>
    </message>
    <message>
        <source>1 cell painted</source>
        <translation>绘制了 1 个单元格</translation>
    </message>
    <message>
        <source>%1 cells painted</source>
        <translation>绘制了 %1 个单元格</translation>
    </message>
    <message>
        <source>causal mask</source>
        <translation>因果掩码</translation>
    </message>
</context>
<context>
    <name>headscope::ui::MaskPage</name>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>Mask of A</source>
        <translation>A 的掩码</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Mask of B</source>
        <translation>B 的掩码</translation>
    </message>
    <message>
        <source>No text yet</source>
        <translation>还没有文本</translation>
    </message>
    <message>
        <source>Type a sentence above to see its mask.</source>
        <translation>在上方输入句子以查看其掩码。</translation>
    </message>
    <message>
        <source>Apply to B</source>
        <translation>应用到 B</translation>
    </message>
    <message>
        <source>No mask</source>
        <translation>无掩码</translation>
    </message>
    <message>
        <source>Causal</source>
        <translation>因果</translation>
    </message>
    <message>
        <source>Window of</source>
        <translation>窗口大小</translation>
    </message>
    <message>
        <source>As trained</source>
        <translation>训练所得</translation>
    </message>
    <message>
        <source>Effect of another mask on the weights of %1</source>
        <translation>另一种掩码对 %1 的权重的影响</translation>
    </message>
    <message>
        <source>%1 has no mask to change; the buttons apply to the decoder</source>
        <translation>%1 没有可改的掩码；按钮作用于解码器</translation>
    </message>
    <message>
        <source>A and B have different lengths, so their masks are not comparable.</source>
        <translation>A 和 B 的长度不同，因此其掩码不可比较。</translation>
    </message>
    <message>
        <source>of a row&apos;s weight in A falls on keys that are hidden in B. In %1 the mask of B %2.</source>
        <translation>是 A 中一行权重落在 B 所隐藏的键上的比例。在 %1 中，B 的掩码%2。</translation>
    </message>
    <message>
        <source>Arrows move the cell · the buttons change B · Enter, Ctrl+click: a weight&apos;s origin</source>
        <translation>方向键移动单元格 · 按钮更改 B · Enter、Ctrl+单击：权重的来源</translation>
    </message>
    <message>
        <source>See which keys each query can attend to. Paint cells to mask them in B.</source>
        <translation>查看每个查询可以关注哪些键。绘制单元格即可在 B 中掩码它们。</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Which keys can each query attend to?</source>
        <translation>每个查询可以关注哪些键？</translation>
    </message>
    <message>
        <source>Tokens in the window</source>
        <translation>窗口中的词元</translation>
    </message>
</context>
<context>
    <name>headscope::ui::MaskPicker</name>
    <message>
        <source>As trained</source>
        <translation>训练所得</translation>
    </message>
    <message>
        <source>The mask that the model was trained with</source>
        <translation>模型训练时的掩码</translation>
    </message>
    <message>
        <source>Causal</source>
        <translation>因果</translation>
    </message>
    <message>
        <source>Each token attends to itself and to earlier tokens</source>
        <translation>每个词元关注自身和前面的词元</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Each token attends to the whole text</source>
        <translation>每个词元关注整段文本</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Each token attends to itself and a few tokens before it</source>
        <translation>每个词元关注自身和之前的几个词元</translation>
    </message>
    <message>
        <source>Painted</source>
        <translation>绘制</translation>
    </message>
    <message>
        <source>Drag over B&apos;s map to paint cells by hand</source>
        <translation>在 B 的图上拖动即可手工绘制单元格</translation>
    </message>
    <message>
        <source>Mask of B</source>
        <translation>B 的掩码</translation>
    </message>
    <message>
        <source>Window size</source>
        <translation>窗口大小</translation>
    </message>
    <message>
        <source>Window size in tokens, including the query</source>
        <translation>以词元计的窗口大小，包括查询</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>掩码</translation>
    </message>
</context>
<context>
    <name>headscope::ui::MaskedWords</name>
    <message>
        <source>Open an encoder to predict masked words.</source>
        <translation>请打开编码器以预测被遮住的词。</translation>
    </message>
    <message>
        <source>A decoder predicts the next token. Open an encoder to predict masked words.</source>
        <translation>解码器预测下一个词元。请打开编码器以预测被遮住的词。</translation>
    </message>
    <message>
        <source>This encoder has no head that predicts tokens.</source>
        <translation>此编码器没有预测词元的输出头。</translation>
    </message>
    <message>
        <source>This encoder’s vocabulary has no mask token.</source>
        <translation>此编码器的词表没有掩码词元。</translation>
    </message>
    <message>
        <source>Token %1 was added by the model and is not part of the text.</source>
        <translation>词元 %1 由模型添加，不是文本的一部分。</translation>
    </message>
    <message>
        <source>This mask was typed and hides no word. Write one of the candidates.</source>
        <translation>此掩码是直接输入的，没有遮住任何词。请写入一个候选词。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::Measurement</name>
    <message>
        <source>Training needs %1 GB, but only %2 GB are free.</source>
        <translation>训练需要 %1 GB，但只有 %2 GB 可用。</translation>
    </message>
    <message>
        <source>Not timed: one row alone takes %1 operations.</source>
        <translation>未计时：仅一行就需要 %1 次运算。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::MessageBar</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Dismiss message</source>
        <translation>关闭消息</translation>
    </message>
</context>
<context>
    <name>headscope::ui::Mistakes</name>
    <message>
        <source>The size is right, but the sign is not.</source>
        <translation>大小正确，但符号不对。</translation>
    </message>
    <message>
        <source>That is the smallest number. Find the largest.</source>
        <translation>那是最小的数。请找出最大的。</translation>
    </message>
    <message>
        <source>This cell is masked, so its score is −∞: type -inf.</source>
        <translation>此单元格被掩码，因此其得分为 −∞：输入 -inf。</translation>
    </message>
    <message>
        <source>One product is missing: %1 · %2.</source>
        <translation>少了一个乘积：%1 · %2。</translation>
    </message>
    <message>
        <source>You added the pairs. Multiply each pair first, then add.</source>
        <translation>你把各对相加了。请先逐对相乘，再相加。</translation>
    </message>
    <message>
        <source>That is the sum. Divide it by %1.</source>
        <translation>那是总和。请除以 %1。</translation>
    </message>
    <message>
        <source>That is the mean. Find the sum.</source>
        <translation>那是平均值。请求总和。</translation>
    </message>
    <message>
        <source>One number is missing: %1.</source>
        <translation>少了一个数：%1。</translation>
    </message>
    <message>
        <source>You forgot to divide by %1.</source>
        <translation>你忘了除以 %1。</translation>
    </message>
    <message>
        <source>You multiplied. Divide by %1.</source>
        <translation>你做了乘法。请除以 %1。</translation>
    </message>
    <message>
        <source>You divided by %1, the square. Divide by its square root, %2.</source>
        <translation>你除以了 %1，即平方。请除以其平方根 %2。</translation>
    </message>
    <message>
        <source>You swapped dividend and divisor.</source>
        <translation>除数和被除数弄反了。</translation>
    </message>
    <message>
        <source>You added. Subtract %1.</source>
        <translation>你做了加法。请减去 %1。</translation>
    </message>
    <message>
        <source>You added. Multiply the two.</source>
        <translation>你做了加法。请把两数相乘。</translation>
    </message>
    <message>
        <source>That is the first number unchanged. Apply the operation.</source>
        <translation>那是未变的第一个数。请进行运算。</translation>
    </message>
    <message>
        <source>That is the second number unchanged. Apply the operation.</source>
        <translation>那是未变的第二个数。请进行运算。</translation>
    </message>
    <message>
        <source>That is the number unchanged. Apply the operation.</source>
        <translation>那是未变的数。请进行运算。</translation>
    </message>
    <message>
        <source>The sign of the exponent is wrong.</source>
        <translation>指数的符号不对。</translation>
    </message>
    <message>
        <source>The base is e, which is about 2.7183.</source>
        <translation>底数是 e，约为 2.7183。</translation>
    </message>
    <message>
        <source>You doubled it. Multiply it by itself.</source>
        <translation>你把它加倍了。请把它与自身相乘。</translation>
    </message>
    <message>
        <source>The square root is the number that gives %1 when multiplied by itself.</source>
        <translation>平方根是与自身相乘得 %1 的数。</translation>
    </message>
    <message>
        <source>Use the natural logarithm, ln, not base 10.</source>
        <translation>请取自然对数 ln，而不是以 10 为底的对数。</translation>
    </message>
    <message>
        <source>That is the number of another cell: %1.</source>
        <translation>那是另一个单元格的数：%1。</translation>
    </message>
    <message>
        <source>The decimal point is one place off.</source>
        <translation>小数点错了一位。</translation>
    </message>
    <message>
        <source>Not yet: the number is finite.</source>
        <translation>还不对：这个数是有限的。</translation>
    </message>
    <message>
        <source>Not yet: the number is below 0.</source>
        <translation>还不对：这个数小于 0。</translation>
    </message>
    <message>
        <source>Not yet: the number is above 0.</source>
        <translation>还不对：这个数大于 0。</translation>
    </message>
    <message>
        <source>Not yet: the number is larger.</source>
        <translation>还不对：这个数更大。</translation>
    </message>
    <message>
        <source>Not yet: the number is smaller.</source>
        <translation>还不对：这个数更小。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ModelActions</name>
    <message>
        <source>Restore &amp;head %1.%2 in B</source>
        <translation>在 B 中恢复头 %1.%2(&amp;H)</translation>
    </message>
    <message>
        <source>Ablate &amp;head %1.%2 in B</source>
        <translation>在 B 中消融头 %1.%2(&amp;H)</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ModelChooser</name>
    <message>
        <source>No model</source>
        <translation>没有模型</translation>
    </message>
    <message>
        <source>Choose one</source>
        <translation>请选择</translation>
    </message>
    <message>
        <source>Model %1, %2</source>
        <translation>模型 %1，%2</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ModelDesk</name>
    <message>
        <source>%1 Further warnings: %2.</source>
        <translation>%1 其他警告：%2。</translation>
    </message>
    <message>
        <source>%1 was not opened; the current model is unchanged.</source>
        <translation>%1 未打开；当前模型不变。</translation>
    </message>
    <message>
        <source>About this model…</source>
        <translation>关于此模型…</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ModelMenu</name>
    <message>
        <source>On this machine</source>
        <translation>在本机上</translation>
    </message>
    <message>
        <source>searching…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>none found: see “Get a model”</source>
        <translation>暂无：“获取模型”会说明方法</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ModelOfB</name>
    <message>
        <source>step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Open a checkpoint as B’s model; the snapshots of its training run are then listed</source>
        <translation>打开一个检查点作为 B 的模型；随后列出其训练运行的快照</translation>
    </message>
    <message>
        <source>Model of B</source>
        <translation>B 的模型</translation>
    </message>
    <message>
        <source>A built-in model, or the path of a checkpoint or of a training run&apos;s snapshot</source>
        <translation>内置模型，或检查点、训练运行快照的路径</translation>
    </message>
    <message>
        <source>with</source>
        <translation>用</translation>
    </message>
    <message>
        <source>the same model</source>
        <translation>同一个模型</translation>
    </message>
    <message>
        <source>Open B’s model</source>
        <translation>打开 B 的模型</translation>
    </message>
    <message>
        <source>Models (*.gguf *.safetensors)</source>
        <translation>模型 (*.gguf *.safetensors)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>model of B</source>
        <translation>B 的模型</translation>
    </message>
    <message>
        <source>LoRA…</source>
        <translation>LoRA…</translation>
    </message>
    <message>
        <source>Apply a LoRA adapter to B: a folder that PEFT saved, or a GGUF adapter</source>
        <translation>对 B 应用 LoRA 适配器：PEFT 保存的文件夹，或 GGUF 适配器</translation>
    </message>
    <message>
        <source>LoRA adapter of B</source>
        <translation>B 的 LoRA 适配器</translation>
    </message>
    <message>
        <source>Adapters (adapter_config.json adapter_model.safetensors *.gguf)</source>
        <translation>适配器 (adapter_config.json adapter_model.safetensors *.gguf)</translation>
    </message>
</context>
<context>
    <name>headscope::ui::MovedAttention</name>
    <message>
        <source>Divergence of A and B: heads down, layers across</source>
        <translation>A 与 B 的差异度：纵向为头，横向为层</translation>
    </message>
    <message>
        <source>Where attention differs</source>
        <translation>注意力的不同之处</translation>
    </message>
    <message>
        <source>A and B have different numbers of layers or heads.</source>
        <translation>A 和 B 的层数或头数不同。</translation>
    </message>
    <message>
        <source>weight moved between aligned tokens, 0&#xa0;to&#xa0;1; heads down, layers across</source>
        <translation>对齐词元之间移动的权重，0&#xa0;到&#xa0;1；头向下，层向右</translation>
    </message>
</context>
<context>
    <name>headscope::ui::MovedHeads</name>
    <message>
        <source>Divergence of B: heads down, layers across</source>
        <translation>B 的差异度：纵向为头，横向为层</translation>
    </message>
    <message>
        <source>Where B differs</source>
        <translation>B 的不同之处</translation>
    </message>
    <message>
        <source>weight moved per row, 0 to %1</source>
        <translation>每行移动的权重，0 到 %1</translation>
    </message>
</context>
<context>
    <name>headscope::ui::NextTokenBars</name>
    <message>
        <source>Next token</source>
        <translation>下一词元</translation>
    </message>
    <message>
        <source>Most likely next tokens</source>
        <translation>最可能的下一词元</translation>
    </message>
    <message>
        <source>after “%1”</source>
        <translation>“%1”之后</translation>
    </message>
    <message>
        <source>Prediction</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>at “%1”</source>
        <translation>在“%1”处</translation>
    </message>
    <message>
        <source>%1, A above B</source>
        <translation>%1，A 在 B 上方</translation>
    </message>
</context>
<context>
    <name>headscope::ui::NextTokenPage</name>
    <message>
        <source>Generated</source>
        <translation>已生成</translation>
    </message>
    <message>
        <source>Click a generated token to return to the text before it; Backspace removes the last one.</source>
        <translation>单击生成的词元回到它之前；Backspace 去掉最后一个。</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>没有打开模型</translation>
    </message>
    <message>
        <source>No prediction</source>
        <translation>没有预测</translation>
    </message>
    <message>
        <source>Open a checkpoint or a built-in model.</source>
        <translation>打开一个检查点或内置模型。</translation>
    </message>
    <message>
        <source>Next token</source>
        <translation>下一词元</translation>
    </message>
    <message>
        <source>Prediction at %1, “%2”</source>
        <translation>在 %1“%2”处的预测</translation>
    </message>
    <message>
        <source>Next token after “%1”</source>
        <translation>“%1”之后的下一词元</translation>
    </message>
    <message>
        <source>bits of entropy in B, %1 in A; %2 at most</source>
        <translation>比特的熵（B），A 中为 %1；最多 %2</translation>
    </message>
    <message>
        <source>bits of entropy; %1 at most</source>
        <translation>比特的熵；最多 %1</translation>
    </message>
    <message>
        <source>“%1” has a surprisal of %2 bits in B, %3 in A</source>
        <translation>“%1”的意外程度在 B 中为 %2 比特，在 A 中为 %3</translation>
    </message>
    <message>
        <source>“%1”, which %2, has a surprisal of %3 bits</source>
        <translation>“%1”%2，意外程度为 %3 比特</translation>
    </message>
    <message>
        <source>is at this position</source>
        <translation>位于此处</translation>
    </message>
    <message>
        <source>follows</source>
        <translation>在其后</translation>
    </message>
    <message>
        <source>no next token yet</source>
        <translation>后面还没有词元</translation>
    </message>
    <message>
        <source>%1 of %2 tokens can be sampled; the bars have the fixed scale 0 to 1.</source>
        <translation>%2 个词元中有 %1 个可被采样；条形用固定刻度 0 到 1。</translation>
    </message>
    <message>
        <source>S samples · Backspace removes the last token · Esc stops · Enter, Ctrl+click: a number&apos;s origin</source>
        <translation>S 采样 · 退格去掉最后一个词元 · Esc 停止 · Enter、Ctrl+单击：数值的来源</translation>
    </message>
    <message>
        <source>This captured trace has no logits. Open a model to see them.</source>
        <translation>此捕获的追踪没有 logit。打开模型即可查看。</translation>
    </message>
    <message>
        <source>What does the model predict next?</source>
        <translation>模型预测的下一个词元是什么？</translation>
    </message>
    <message>
        <source>1 more token is beyond the model’s context, not computed</source>
        <translation>还有 1 个词元超出模型的上下文，未计算</translation>
    </message>
    <message>
        <source>%1 more tokens are beyond the model’s context, not computed</source>
        <translation>还有 %1 个词元超出模型的上下文，未计算</translation>
    </message>
    <message>
        <source>Tokens to mask</source>
        <translation>可遮住的词元</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Click a token to mask it, and again to put the word back; Return does the same.</source>
        <translation>点击词元可遮住它，再次点击则恢复原词；回车键作用相同。</translation>
    </message>
    <message>
        <source>%1 candidates; the bars have the fixed scale 0 to 1.</source>
        <translation>%1 个候选；条形使用固定刻度 0 到 1。</translation>
    </message>
    <message>
        <source>M masks or unmasks · W writes the candidate · Up, Down: candidates</source>
        <translation>M 遮住或恢复 · W 写入候选词 · 上下键选择候选词</translation>
    </message>
    <message>
        <source>See the model&apos;s next-token distribution. Change temperature, top-k and top-p, sample a token, and go back to any earlier one. With an encoder, mask a token and write one of the predicted words.</source>
        <translation>查看模型的下一个词元分布。改变温度、top-k 和 top-p，采样一个词元，并可回到之前的任何一个。对于编码器，可遮住一个词元并写入预测的词。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::NextTokenTable</name>
    <message>
        <source>Most likely next tokens</source>
        <translation>最可能的下一词元</translation>
    </message>
</context>
<context>
    <name>headscope::ui::NumberCards</name>
    <message>
        <source>Numbers</source>
        <translation>数值</translation>
    </message>
</context>
<context>
    <name>headscope::ui::OfferedChanges</name>
    <message>
        <source>Ablate head %1</source>
        <translation>消融头 %1</translation>
    </message>
    <message>
        <source>Replaces the head&apos;s output by zero</source>
        <translation>把该头的输出替换为零</translation>
    </message>
    <message>
        <source>Block the first token</source>
        <translation>屏蔽第一个词元</translation>
    </message>
    <message>
        <source>No later token attends to it, in all heads</source>
        <translation>在所有头中，后面的词元都不再关注它</translation>
    </message>
    <message>
        <source>Remove the causal mask</source>
        <translation>去掉因果掩码</translation>
    </message>
    <message>
        <source>Each token attends to the whole text</source>
        <translation>每个词元关注整段文本</translation>
    </message>
    <message>
        <source>Causal mask</source>
        <translation>因果掩码</translation>
    </message>
    <message>
        <source>Each token attends to itself and to earlier tokens</source>
        <translation>每个词元关注自身和前面的词元</translation>
    </message>
    <message>
        <source>Window of %1 tokens</source>
        <translation>%1 个词元的窗口</translation>
    </message>
    <message>
        <source>Each token attends to itself and a few tokens before it</source>
        <translation>每个词元关注自身和之前的几个词元</translation>
    </message>
    <message>
        <source>Positions: %1</source>
        <translation>位置：%1</translation>
    </message>
    <message>
        <source>Exchange “%1” and “%2”</source>
        <translation>交换“%1”和“%2”</translation>
    </message>
    <message>
        <source>Exchanges their embeddings, not their positions</source>
        <translation>交换它们的嵌入，位置不变</translation>
    </message>
    <message>
        <source>Uniform row of “%1”</source>
        <translation>“%1”一行均匀分布</translation>
    </message>
    <message>
        <source>Same weight for every key in head %1</source>
        <translation>在头 %1 中，每个键的权重相同</translation>
    </message>
</context>
<context>
    <name>headscope::ui::OffersButton</name>
    <message>
        <source>+  Add change</source>
        <translation>+  添加更改</translation>
    </message>
    <message>
        <source>Ablate head</source>
        <translation>消融头</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Edit the row</source>
        <translation>编辑行</translation>
    </message>
    <message>
        <source>Freeze patterns</source>
        <translation>冻结注意力模式</translation>
    </message>
    <message>
        <source>Edit a weight</source>
        <translation>编辑权重</translation>
    </message>
    <message>
        <source>Swap a token</source>
        <translation>替换词元</translation>
    </message>
</context>
<context>
    <name>headscope::ui::OriginModel</name>
    <message>
        <source>Operand</source>
        <translation>操作数</translation>
    </message>
    <message>
        <source>Term</source>
        <translation>项</translation>
    </message>
    <message>
        <source>times</source>
        <translation>乘</translation>
    </message>
    <message>
        <source>term %1</source>
        <translation>第 %1 项</translation>
    </message>
</context>
<context>
    <name>headscope::ui::OriginPage</name>
    <message>
        <source>Largest first</source>
        <translation>最大的在前</translation>
    </message>
    <message>
        <source>By the size of the term</source>
        <translation>按项的大小</translation>
    </message>
    <message>
        <source>In order</source>
        <translation>按顺序</translation>
    </message>
    <message>
        <source>As the formula has them</source>
        <translation>按公式的顺序</translation>
    </message>
    <message>
        <source>Order of the operands</source>
        <translation>操作数的顺序</translation>
    </message>
    <message>
        <source>Operands</source>
        <translation>操作数</translation>
    </message>
    <message>
        <source>No number yet</source>
        <translation>还没有数</translation>
    </message>
    <message>
        <source>Level %1: %2</source>
        <translation>第 %1 级：%2</translation>
    </message>
    <message>
        <source>✓ recomputed from the operands: %1</source>
        <translation>✓ 由操作数重新计算：%1</translation>
    </message>
    <message>
        <source>! the operands give %1: an intervention replaced this number</source>
        <translation>! 由操作数得 %1：干预在此放入了另一个数</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>As trained</source>
        <translation>训练所得</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>With your changes</source>
        <translation>含你的更改</translation>
    </message>
    <message>
        <source>Press Enter or double-click an operand to see what is behind it.</source>
        <translation>在操作数上按 Enter 或双击可深入其来源。</translation>
    </message>
    <message>
        <source>Enter or double-click: what is behind an operand · Esc: back, finally to the page you came from</source>
        <translation>Enter 或双击深入操作数 · Esc 返回，最后回到来时的页面</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>还有 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>正在计算</translation>
    </message>
    <message>
        <source>This number cannot be traced</source>
        <translation>此数无法追溯</translation>
    </message>
    <message>
        <source>Type a sentence: every number on every page can be traced here.</source>
        <translation>输入一个句子；每个页面的每个数都可在此追溯。</translation>
    </message>
    <message>
        <source>A %1 · B %2 · B−A %3</source>
        <translation>A %1 · B %2 · B−A %3</translation>
    </message>
    <message>
        <source>Where any number comes from: open an operand to see what it was computed from, down to weights and embeddings.</source>
        <translation>任何数的来源：打开一个操作数，查看它由什么算出，一直到权重和嵌入。</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>What is this number computed from?</source>
        <translation>这个数是由什么算出的？</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
</context>
<context>
    <name>headscope::ui::OverviewPage</name>
    <message>
        <source>All heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>Attention pattern</source>
        <translation>注意力模式</translation>
    </message>
    <message>
        <source>Order of the heads</source>
        <translation>头的顺序</translation>
    </message>
    <message>
        <source>In the model&apos;s order</source>
        <translation>按模型的顺序</translation>
    </message>
    <message>
        <source>Sort by %1</source>
        <translation>按%1排序</translation>
    </message>
    <message>
        <source>“%1” attends most to “%2”</source>
        <translation>“%1”最关注“%2”</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Arrows move · Enter opens the head · PgUp PgDn change the layer · Ctrl+click: a number&apos;s origin</source>
        <translation>方向键移动 · Enter 打开头 · PgUp PgDn 换层 · Ctrl+单击：数值的来源</translation>
    </message>
    <message>
        <source>All heads at once, one row per layer. Select one to enlarge it: each row of the map is a query token, each column a key token, and the colour of a cell is the weight.</source>
        <translation>一次看到所有的头，每层一行。选中一个即可放大：图中每行是一个查询词元，每列是一个键词元，颜色越深权重越大。</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>总览</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>After softmax: each row sums to 1, with its sink where the head has one</source>
        <translation>softmax 之后：每行之和为 1，头有汇点时连同其汇点</translation>
    </message>
    <message>
        <source>Scores</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>Before softmax and mask</source>
        <translation>softmax 和掩码之前</translation>
    </message>
    <message>
        <source>Value-weighted</source>
        <translation>值加权</translation>
    </message>
    <message>
        <source>Weight times the length of the value vector</source>
        <translation>权重乘以值向量的长度</translation>
    </message>
    <message>
        <source>Values in the map</source>
        <translation>图中显示什么</translation>
    </message>
    <message>
        <source>What does every head attend to?</source>
        <translation>每个注意力头关注什么？</translation>
    </message>
    <message>
        <source>Type a sentence above: attention follows every key.</source>
        <translation>在上方输入句子：注意力随每次按键更新。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::Page</name>
    <message>
        <source>Type a sentence first: its numbers can be traced to the weights.</source>
        <translation>请先输入一个句子：其数值可追溯到权重。</translation>
    </message>
    <message>
        <source>Select a number first: a cell, a bar or a link.</source>
        <translation>请先选择一个数：单元格、条或连线。</translation>
    </message>
    <message>
        <source>Where does this number come from?	Ctrl+click</source>
        <translation>这个数从何而来？	Ctrl+单击</translation>
    </message>
</context>
<context>
    <name>headscope::ui::PageHeader</name>
    <message>
        <source>View of this page</source>
        <translation>本页的视图</translation>
    </message>
</context>
<context>
    <name>headscope::ui::PageStack</name>
    <message>
        <source>This page needs a model</source>
        <translation>此页需要模型</translation>
    </message>
</context>
<context>
    <name>headscope::ui::PaintPicker</name>
    <message>
        <source>Select</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Click in B&apos;s map to select a cell</source>
        <translation>在 B 的图中单击选择单元格</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>屏蔽</translation>
    </message>
    <message>
        <source>Drag to block cells, Shift to allow them</source>
        <translation>拖动屏蔽单元格，按住 Shift 则允许</translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>Drag to allow cells, Shift to block them</source>
        <translation>拖动允许单元格，按住 Shift 则屏蔽</translation>
    </message>
    <message>
        <source>Paint on B&apos;s map</source>
        <translation>在 B 的图上绘制</translation>
    </message>
    <message>
        <source>Paint</source>
        <translation>绘制</translation>
    </message>
    <message>
        <source>The mask of this part cannot be changed in B</source>
        <translation>这一部分的掩码不能在 B 中更改</translation>
    </message>
</context>
<context>
    <name>headscope::ui::PartBar</name>
    <message>
        <source>Encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>Cross</source>
        <translation>交叉</translation>
    </message>
    <message>
        <source>Self</source>
        <translation>自注意力</translation>
    </message>
    <message>
        <source>Part of the model</source>
        <translation>模型的部分</translation>
    </message>
</context>
<context>
    <name>headscope::ui::PositionsPage</name>
    <message>
        <source>Position encoding</source>
        <translation>位置编码</translation>
    </message>
    <message>
        <source>%1 has no learned position embeddings</source>
        <translation>%1 没有可学习的位置嵌入</translation>
    </message>
    <message>
        <source>No model is open, so there are no learned position embeddings</source>
        <translation>没有打开模型，因此没有可学习的位置嵌入</translation>
    </message>
    <message>
        <source>← → change the distance · Shift+← → move both</source>
        <translation>← → 改变距离 · Shift+← → 一起移动</translation>
    </message>
    <message>
        <source>← → move p · Shift+← → change k · Space animates · Ctrl+click: an entry&apos;s origin</source>
        <translation>← → 移动 p · Shift+← → 改变 k · 空格滑动 · Ctrl+单击：数值的来源</translation>
    </message>
    <message>
        <source>These curves follow from the formula and the sliders alone. Their effect on a score is traced on the Query · Key page.</source>
        <translation>这些曲线只取决于公式和滑块。它们对得分的影响在“查询 · 键”页面追溯。</translation>
    </message>
    <message>
        <source>Select an entry of the matrix first.</source>
        <translation>请先选择矩阵中的一项。</translation>
    </message>
    <message>
        <source>See how the model represents token order: sinusoidal and learned encodings, RoPE, ALiBi and relative bias, with the similarity between positions.</source>
        <translation>查看模型如何表示词元的顺序：正弦和可学习编码、RoPE、ALiBi 和相对偏置，以及位置之间的相似度。</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>How does the model know where a token is?</source>
        <translation>模型怎样知道词元的位置？</translation>
    </message>
</context>
<context>
    <name>headscope::ui::PositionsPlot</name>
    <message>
        <source>Waves, matrix and similarity of positions</source>
        <translation>位置的波形、矩阵和相似度</translation>
    </message>
    <message>
        <source>position %1, offset %2, %3 dimensions</source>
        <translation>位置 %1，偏移 %2，%3 维</translation>
    </message>
    <message>
        <source>dimension %1, position %2: %3</source>
        <translation>维度 %1，位置 %2：%3</translation>
    </message>
    <message>
        <source>PE(%1) · PE(%2) = %3</source>
        <translation>PE(%1) · PE(%2) = %3</translation>
    </message>
</context>
<context>
    <name>headscope::ui::QkPage</name>
    <message>
        <source>In order</source>
        <translation>按顺序</translation>
    </message>
    <message>
        <source>Dimensions as the model has them</source>
        <translation>按模型的维度顺序</translation>
    </message>
    <message>
        <source>Largest first</source>
        <translation>最大的在前</translation>
    </message>
    <message>
        <source>Dimensions by the size of q × k</source>
        <translation>按 q × k 的大小排列维度</translation>
    </message>
    <message>
        <source>Order of the dimensions</source>
        <translation>维度的顺序</translation>
    </message>
    <message>
        <source>Shown token by token: vectors belong to tokens, not to words</source>
        <translation>每个片段单独：向量属于片段，而不属于词</translation>
    </message>
    <message>
        <source>%1 numbers in q and in each k</source>
        <translation>q 和每个 k 各有 %1 个数</translation>
    </message>
    <message>
        <source>Type a sentence above: its queries and keys appear here.</source>
        <translation>在上方输入句子：其查询和键显示在此。</translation>
    </message>
    <message>
        <source>Nothing to show</source>
        <translation>没有可显示的</translation>
    </message>
    <message>
        <source>↑↓ key · ←→ dimension · Shift+↑↓ query · Click pins · Enter, Ctrl+click: a number&apos;s origin</source>
        <translation>↑↓ 键 · ←→ 维度 · Shift+↑↓ 查询 · 单击固定 · Enter、Ctrl+单击：数值的来源</translation>
    </message>
    <message>
        <source>How one weight is computed: query times key, dimension by dimension, then the scores of the whole row through scale, mask and softmax.</source>
        <translation>一个权重从何而来：查询与键逐个数相乘，然后整行得分依次经过缩放、掩码和 softmax。</translation>
    </message>
    <message>
        <source>Query · Key</source>
        <translation>查询 · 键</translation>
    </message>
    <message>
        <source>Why does this query attend to this key?</source>
        <translation>这个查询为什么关注这个键？</translation>
    </message>
    <message>
        <source>Scores</source>
        <translation>得分</translation>
    </message>
</context>
<context>
    <name>headscope::ui::QkWidget</name>
    <message>
        <source>Query and keys by dimension</source>
        <translation>查询和键，按维度</translation>
    </message>
</context>
<context>
    <name>headscope::ui::Rail</name>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>headscope::ui::RailNotes</name>
    <message>
        <source>In this workspace</source>
        <translation>本工作区</translation>
    </message>
    <message>
        <source>%1/%2</source>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>%1: %2 of %3 lessons done. Next: %4</source>
        <translation>%1：已完成 %2/%3 课。下一课：%4</translation>
    </message>
    <message>
        <source>Chapters</source>
        <translation>章节</translation>
    </message>
    <message>
        <source>%1: step %2 of %3, loss %4</source>
        <translation>%1：第 %2/%3 步，损失 %4</translation>
    </message>
    <message>
        <source>Last runs</source>
        <translation>最近的训练运行</translation>
    </message>
</context>
<context>
    <name>headscope::ui::RankedTexts</name>
    <message>
        <source>mean KL</source>
        <translation>平均 KL</translation>
    </message>
    <message>
        <source>Mean over the tokens of KL(A || B) of the next-token predictions, in bits</source>
        <translation>下一词元预测的 KL(A || B)，对词元取平均，单位为比特</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Largest KL(A || B) of one token, in bits</source>
        <translation>单个词元的最大 KL(A || B)（比特）</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Number of compared tokens</source>
        <translation>比较的词元数</translation>
    </message>
    <message>
        <source>Rank sample sentences</source>
        <translation>排列示例句子</translation>
    </message>
    <message>
        <source>Rank the lines of a file…</source>
        <translation>排列文件的各行…</translation>
    </message>
    <message>
        <source>Open text</source>
        <translation>打开文本</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Texts</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Compares the predictions of both models on short English sentences</source>
        <translation>在简短的英文句子上比较两个模型的预测</translation>
    </message>
    <message>
        <source>Compares the predictions of both models on a file with one text a line</source>
        <translation>在每行一个文本的文件上比较两个模型的预测</translation>
    </message>
    <message>
        <source>Makes the selected text the sentence</source>
        <translation>将所选文本设为当前句子</translation>
    </message>
    <message>
        <source>Ranking of texts</source>
        <translation>文本排序</translation>
    </message>
    <message>
        <source>sample sentences</source>
        <translation>示例句子</translation>
    </message>
    <message>
        <source>Texts, one a line</source>
        <translation>文本，每行一个</translation>
    </message>
    <message>
        <source>Text files (*.txt *.md *.csv)</source>
        <translation>文本文件 (*.txt *.md *.csv)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>comparing on %1</source>
        <translation>正在比较：%1</translation>
    </message>
    <message>
        <source>Choose another model for B, or change B’s weights, to compare on many texts.</source>
        <translation>请为 B 选择另一个模型，或更改 B 的权重，以便在许多文本上比较。</translation>
    </message>
    <message>
        <source>Find the texts on which the predictions of A and B differ most.</source>
        <translation>查找 A 和 B 的预测差异最大的文本。</translation>
    </message>
    <message>
        <source>%1 texts of %2, by mean KL(A || B)</source>
        <translation>%2 的 %1 个文本，按平均 KL(A || B) 排列</translation>
    </message>
    <message>
        <source>%1; the rest is left out</source>
        <translation>%1；其余从略</translation>
    </message>
</context>
<context>
    <name>headscope::ui::RecentFilesMenu</name>
    <message>
        <source>Clear list</source>
        <translation>清空列表</translation>
    </message>
</context>
<context>
    <name>headscope::ui::RelativePanel</name>
    <message>
        <source>Try it</source>
        <translation>试一试</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>Key position</source>
        <translation>键的位置</translation>
    </message>
    <message>
        <source>Base</source>
        <translation>底数</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>维度</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Buckets</source>
        <translation>桶</translation>
    </message>
    <message>
        <source>Last bucket from</source>
        <translation>最后一个桶从</translation>
    </message>
</context>
<context>
    <name>headscope::ui::RelativePlot</name>
    <message>
        <source>Effect of positions on scores</source>
        <translation>位置对得分的影响</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ReplaceQuestion</name>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>“%1” already exists. Replace it, or choose another name.</source>
        <translation>“%1”已存在。请替换它，或另选一个名称。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ReportDialog</name>
    <message>
        <source>Write a report</source>
        <translation>编写报告</translation>
    </message>
    <message>
        <source>Report on this model and text</source>
        <translation>关于此模型和文本的报告</translation>
    </message>
    <message>
        <source>Contains architecture, load audit, scores and labels of all heads with their evidence, the logit lens, direct logit attribution, ablation effects, and the command that reproduces the report.</source>
        <translation>包含架构、加载核查、所有头的得分和标签及其依据、logit 透镜、直接 logit 归因、消融效应，以及可重新生成报告的命令。</translation>
    </message>
    <message>
        <source>Progress of the report</source>
        <translation>报告的进度</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>Printable pages with searchable text</source>
        <translation>可打印的页面，文本可搜索</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>All numbers at full precision, for programs</source>
        <translation>完整精度的全部数值，供程序使用</translation>
    </message>
    <message>
        <source>Ablate each head in turn</source>
        <translation>依次消融每个头</translation>
    </message>
    <message>
        <source>Compares each head’s scores with its causal effect. The slowest part</source>
        <translation>把每个头的得分与其因果效应作比较。最慢的部分</translation>
    </message>
    <message>
        <source>Causal test</source>
        <translation>因果检验</translation>
    </message>
    <message>
        <source>Create</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Write a report as PDF or JSON</source>
        <translation>将报告写为 PDF 或 JSON</translation>
    </message>
    <message>
        <source>Reports (*.pdf *.json)</source>
        <translation>报告 (*.pdf *.json)</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>正在准备</translation>
    </message>
    <message>
        <source>Page %1 of %2</source>
        <translation>第 %1 页，共 %2 页</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ReportPages</name>
    <message>
        <source>Headscope report on %1</source>
        <translation>关于 %1 的 Headscope 报告</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ReportPdf</name>
    <message>
        <source>Headscope report on %1</source>
        <translation>关于 %1 的 Headscope 报告</translation>
    </message>
</context>
<context>
    <name>headscope::ui::RestoredPanel</name>
    <message>
        <source>Apply as change</source>
        <translation>作为更改应用</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Restored fraction</source>
        <translation>恢复程度</translation>
    </message>
    <message>
        <source>B runs the corrupted text with this activation patched in from A</source>
        <translation>B 运行损坏文本，并从 A 修补此激活</translation>
    </message>
    <message>
        <source>patch</source>
        <translation>修补</translation>
    </message>
</context>
<context>
    <name>headscope::ui::RotationsPanel</name>
    <message>
        <source>● PE(p)</source>
        <translation>● PE(p)</translation>
    </message>
    <message>
        <source>● PE(p+k)</source>
        <translation>● PE(p+k)</translation>
    </message>
    <message>
        <source>An offset is a rotation</source>
        <translation>平移就是旋转</translation>
    </message>
    <message>
        <source>✓  largest error %1</source>
        <translation>✓  最大误差 %1</translation>
    </message>
</context>
<context>
    <name>headscope::ui::RunCard</name>
    <message>
        <source>Already training</source>
        <translation>已在训练中</translation>
    </message>
    <message>
        <source>Diverged. Fork from an earlier snapshot instead.</source>
        <translation>已发散。请改为从较早的快照分叉。</translation>
    </message>
    <message>
        <source>The run is damaged</source>
        <translation>此训练运行已损坏</translation>
    </message>
    <message>
        <source>All steps are done; resuming extends the run</source>
        <translation>所有步已完成；继续会延长训练运行</translation>
    </message>
    <message>
        <source>Resumes from the newest saved step, bit for bit</source>
        <translation>从最近保存的一步继续，逐位一致</translation>
    </message>
    <message>
        <source>Settings that differ</source>
        <translation>不同的设置</translation>
    </message>
    <message>
        <source>Both have the same configuration.</source>
        <translation>两者的配置相同。</translation>
    </message>
    <message>
        <source>Notes about this run</source>
        <translation>关于此训练运行的备注</translation>
    </message>
    <message>
        <source>Snapshot of the run</source>
        <translation>训练运行的快照</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>Opens the Training page with its curves and its timeline</source>
        <translation>在“训练”页面打开，带有其曲线和时间轴</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>继续(&amp;R)</translation>
    </message>
    <message>
        <source>Open &amp;model</source>
        <translation>打开模型(&amp;M)</translation>
    </message>
    <message>
        <source>Shows the weights of the selected snapshot in all views</source>
        <translation>在所有视图中显示所选快照的权重</translation>
    </message>
    <message>
        <source>&amp;Fork</source>
        <translation>分叉(&amp;F)</translation>
    </message>
    <message>
        <source>Starts a new run from the selected snapshot</source>
        <translation>从所选快照开始新的训练运行</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>删除(&amp;D)</translation>
    </message>
    <message>
        <source>Moves the run to the folder&apos;s bin; Ctrl+Z restores it</source>
        <translation>把训练运行移入文件夹的回收站；Ctrl+Z 可恢复</translation>
    </message>
    <message>
        <source>%1 runs selected</source>
        <translation>已选择 %1 个训练运行</translation>
    </message>
    <message>
        <source>No run selected</source>
        <translation>未选择训练运行</translation>
    </message>
    <message>
        <source>Select two to see the settings that differ.</source>
        <translation>选择两个可查看其不同的设置。</translation>
    </message>
    <message>
        <source>Select one in the table, or several with Shift or Ctrl to overlay their curves.</source>
        <translation>在表中选择一个，或按住 Shift 或 Ctrl 选择多个以叠加其曲线。</translation>
    </message>
    <message>
        <source>step %1, pinned</source>
        <translation>第 %1 步，已固定</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>no snapshot</source>
        <translation>没有快照</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>1 setting</source>
        <translation>1 项设置</translation>
    </message>
    <message>
        <source>%1 settings</source>
        <translation>%1 项设置</translation>
    </message>
</context>
<context>
    <name>headscope::ui::RunCurvesPanel</name>
    <message>
        <source>Log x</source>
        <translation>横轴取对数</translation>
    </message>
    <message>
        <source>select runs in the table</source>
        <translation>在表中选择训练运行</translation>
    </message>
    <message>
        <source>Updates on the horizontal axis</source>
        <translation>横轴为更新次数</translation>
    </message>
    <message>
        <source>Curves of the selected runs</source>
        <translation>所选训练运行的曲线</translation>
    </message>
    <message>
        <source>Log y</source>
        <translation>纵轴取对数</translation>
    </message>
    <message>
        <source>&amp;Export curves…</source>
        <translation>导出曲线(&amp;E)…</translation>
    </message>
    <message>
        <source>Curve</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>By tokens</source>
        <translation>按词元</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>逗号分隔值 (*.csv)</translation>
    </message>
    <message>
        <source>Tokens processed on the horizontal axis: rows of a batch times the longest row</source>
        <translation>横轴为已处理的词元数：批次的行数乘以最长行</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>By step</source>
        <translation>按步</translation>
    </message>
    <message>
        <source>not measured by the selected runs</source>
        <translation>所选训练运行没有测量它</translation>
    </message>
    <message>
        <source>Curves saved to %1.</source>
        <translation>曲线已存入 %1。</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Logarithmic horizontal axis</source>
        <translation>横轴使用对数</translation>
    </message>
    <message>
        <source>Export the curves of the selected runs</source>
        <translation>导出所选训练运行的曲线</translation>
    </message>
    <message>
        <source>Logarithmic vertical axis</source>
        <translation>纵轴使用对数</translation>
    </message>
</context>
<context>
    <name>headscope::ui::RunDraft</name>
    <message>
        <source>change %1</source>
        <translation>更改%1</translation>
    </message>
    <message>
        <source>choose %1</source>
        <translation>选择 %1</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::RunFormPage</name>
    <message>
        <source>Configuration saved to %1. It can be passed to “headscope train”.</source>
        <translation>配置已存入 %1。“headscope train”可读取它。</translation>
    </message>
    <message>
        <source>The name is used for a folder. Remove slashes and any leading dot.</source>
        <translation>名称用作文件夹名。请去掉斜杠和开头的点。</translation>
    </message>
    <message>
        <source>Train in a new folder (Ctrl+Enter)</source>
        <translation>在新文件夹中训练 (Ctrl+Enter)</translation>
    </message>
    <message>
        <source>Learning rate schedule</source>
        <translation>学习率调度</translation>
    </message>
    <message>
        <source>The learning rate at every step of the run, %1.</source>
        <translation>训练运行每一步的学习率，%1。</translation>
    </message>
    <message>
        <source>Tab to the next setting · leave a field empty for the default · Ctrl+Z undoes · Ctrl+Enter starts</source>
        <translation>Tab 到下一项设置 · 留空则用默认值 · Ctrl+Z 撤销 · Ctrl+Enter 开始</translation>
    </message>
    <message>
        <source>No numbers to trace yet. Start the run first.</source>
        <translation>还没有可追溯的数。请先开始训练运行。</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>开始(&amp;S)</translation>
    </message>
    <message>
        <source>Your own &amp;text…</source>
        <translation>你自己的文本(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Open configuration…</source>
        <translation>打开配置(&amp;O)…</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Name of the run</source>
        <translation>训练运行的名称</translation>
    </message>
    <message>
        <source>Name of the run&apos;s folder; a number is added if it exists</source>
        <translation>训练运行文件夹的名称；若已存在则加上编号</translation>
    </message>
    <message>
        <source>New run</source>
        <translation>新建训练运行</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Choose a task or your own text, and set every option. The estimate on the right comes from timing a few steps on this machine.</source>
        <translation>选择一个任务或你自己的文本，并设置每个选项。右侧的估计来自在本机上对几步的计时。</translation>
    </message>
    <message>
        <source>Which model will you train, on what, and how?</source>
        <translation>要训练哪个模型、用什么数据、怎样训练？</translation>
    </message>
</context>
<context>
    <name>headscope::ui::RunPreview</name>
    <message>
        <source>Learning rate by step</source>
        <translation>学习率随步的变化</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Time for all steps</source>
        <translation>全部步的用时</translation>
    </message>
    <message>
        <source>Custom configuration</source>
        <translation>自定义配置</translation>
    </message>
    <message>
        <source>%1 of memory, plus activations</source>
        <translation>内存 %1，另加激活值</translation>
    </message>
    <message>
        <source>Fix the setting first.</source>
        <translation>请先修正该设置。</translation>
    </message>
    <message>
        <source>Trigram baseline: not measured yet.</source>
        <translation>三元模型基线：尚未测量。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
</context>
<context>
    <name>headscope::ui::RunShelf</name>
    <message>
        <source>delete %1</source>
        <translation>删除 %1</translation>
    </message>
    <message>
        <source>Run %1 deleted. Press Ctrl+Z to restore it.</source>
        <translation>训练运行 %1 已删除。按 Ctrl+Z 可恢复。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::RunsFilter</name>
    <message>
        <source>%1 of %2 runs</source>
        <translation>%1 / %2 个训练运行</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 个训练运行</translation>
    </message>
    <message>
        <source>Open a folder of runs</source>
        <translation>打开训练运行的文件夹</translation>
    </message>
    <message>
        <source>Open a &amp;folder…</source>
        <translation>打开文件夹(&amp;F)…</translation>
    </message>
    <message>
        <source>reading %1 of %2</source>
        <translation>正在读取：%1 / %2</translation>
    </message>
    <message>
        <source>Listed folders</source>
        <translation>列出的文件夹</translation>
    </message>
    <message>
        <source>All folders</source>
        <translation>所有文件夹</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 个训练运行</translation>
    </message>
    <message>
        <source>&amp;New run…</source>
        <translation>新建训练运行(&amp;N)…</translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation>筛选训练运行</translation>
    </message>
    <message>
        <source>Default folder</source>
        <translation>默认文件夹</translation>
    </message>
    <message>
        <source>Filter: name, task, state, notes</source>
        <translation>筛选：名称、任务、状态、备注</translation>
    </message>
</context>
<context>
    <name>headscope::ui::RunsPage</name>
    <message>
        <source>No runs yet</source>
        <translation>还没有训练运行</translation>
    </message>
    <message>
        <source>Every run is saved in %1, including those started there with “headscope train”. Train a model to add one.</source>
        <translation>每个训练运行都保存在 %1 中，包括在那里用“headscope train”启动的。训练一个模型即可添加。</translation>
    </message>
    <message>
        <source>No matching runs</source>
        <translation>没有匹配的训练运行</translation>
    </message>
    <message>
        <source>Esc clears the filter.</source>
        <translation>Esc 清除筛选。</translation>
    </message>
    <message>
        <source>Space and Shift select more runs · ← → sort · Enter opens · Del deletes</source>
        <translation>空格和 Shift 选择更多训练运行 · ← → 排序 · Enter 打开 · Del 删除</translation>
    </message>
    <message>
        <source>The numbers here are measurements of training. They have no single origin.</source>
        <translation>这里的数值是训练的测量值，没有单一来源。</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>训练运行</translation>
    </message>
    <message>
        <source>What have you trained so far?</source>
        <translation>到目前为止训练过什么？</translation>
    </message>
    <message>
        <source>See every training run on disk, including one that “headscope train” is writing now. Select several runs to overlay their curves, or two to compare settings.</source>
        <translation>查看磁盘上的每个训练运行，包括“headscope train”正在写入的。选择多个可叠加其曲线，选择两个可比较设置。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::SamplingControls</name>
    <message>
        <source>Random number %1 of this seed is %2, which samples “%3”.</source>
        <translation>此种子的第 %1 个随机数为 %2，采样得到“%3”。</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>停止 (Esc)</translation>
    </message>
    <message>
        <source>Greedy: always the top-1 token, “%1”.</source>
        <translation>贪心：总取 top-1 词元“%1”。</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>Top-k (0: all)</source>
        <translation>Top-k（0：全部）</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Generate</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Tokens to generate</source>
        <translation>要生成的词元数</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>Select the last token</source>
        <translation>选择最后一个词元</translation>
    </message>
</context>
<context>
    <name>headscope::ui::SaveDialog</name>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ScatterWidget</name>
    <message>
        <source>head %1: %2 %3, %4 %5</source>
        <translation>头 %1：%2 %3，%4 %5</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ScoreTable</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Scores of all heads</source>
        <translation>所有头的得分</translation>
    </message>
    <message>
        <source>head %1 %2 %3</source>
        <translation>头 %1 %2 %3</translation>
    </message>
</context>
<context>
    <name>headscope::ui::SentenceField</name>
    <message>
        <source>Sentence</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>Type a sentence</source>
        <translation>输入一个句子</translation>
    </message>
</context>
<context>
    <name>headscope::ui::SessionDocument</name>
    <message>
        <source>mask: %1</source>
        <translation>掩码：%1</translation>
    </message>
    <message>
        <source>ablate head %1</source>
        <translation>消融头 %1</translation>
    </message>
    <message>
        <source>restore head %1</source>
        <translation>恢复头 %1</translation>
    </message>
    <message>
        <source>remove %1 %2</source>
        <translation>去掉 %1 %2</translation>
    </message>
    <message>
        <source>reset B</source>
        <translation>重置 B</translation>
    </message>
    <message>
        <source>enable %1 %2</source>
        <translation>启用 %1 %2</translation>
    </message>
    <message>
        <source>disable %1 %2</source>
        <translation>停用 %1 %2</translation>
    </message>
</context>
<context>
    <name>headscope::ui::SessionOpener</name>
    <message>
        <source>replace session</source>
        <translation>替换会话</translation>
    </message>
    <message>
        <source>changes of the session</source>
        <translation>会话的更改</translation>
    </message>
    <message>
        <source>chat of the session</source>
        <translation>会话文件中的对话</translation>
    </message>
</context>
<context>
    <name>headscope::ui::SettingsDialog</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Follow system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Reduced motion</source>
        <translation>减少动画</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Attention colours</source>
        <translation>注意力颜色</translation>
    </message>
    <message>
        <source>Scale of head maps</source>
        <translation>头的图的刻度</translation>
    </message>
    <message>
        <source>Fixed, 0 to 1</source>
        <translation>固定，0 到 1</translation>
    </message>
    <message>
        <source>To each head’s maximum</source>
        <translation>按每个头的最大值</translation>
    </message>
    <message>
        <source>To each row’s maximum</source>
        <translation>按每行的最大值</translation>
    </message>
    <message>
        <source>Logarithmic</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Percentiles</source>
        <translation>百分位</translation>
    </message>
    <message>
        <source>Computation</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Automatic (faster device)</source>
        <translation>自动（较快的设备）</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Language and files</source>
        <translation>语言和文件</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Clear list</source>
        <translation>清空列表</translation>
    </message>
    <message>
        <source>Clear list of recent files</source>
        <translation>清空最近文件列表</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>最近文件</translation>
    </message>
</context>
<context>
    <name>headscope::ui::SettingsSearch</name>
    <message>
        <source>Search settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Fewer settings</source>
        <translation>更少设置</translation>
    </message>
    <message>
        <source>All %1 settings</source>
        <translation>全部 %1 项设置</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>No matching setting</source>
        <translation>没有匹配的设置</translation>
    </message>
    <message>
        <source>No matching setting. Did you mean “%1”?</source>
        <translation>没有匹配的设置。是否指“%1”？</translation>
    </message>
</context>
<context>
    <name>headscope::ui::SpectrumWidget</name>
    <message>
        <source>%1 values, maximum %2, minimum %3</source>
        <translation>%1 个值，最大 %2，最小 %3</translation>
    </message>
</context>
<context>
    <name>headscope::ui::StackBuilder</name>
    <message>
        <source>Encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Final norm</source>
        <translation>最终归一化</translation>
    </message>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>分段</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Sinusoidal</source>
        <translation>正弦</translation>
    </message>
    <message>
        <source>Relative bias</source>
        <translation>相对偏置</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Projection</source>
        <translation>投影</translation>
    </message>
    <message>
        <source>Token embedding</source>
        <translation>词元嵌入</translation>
    </message>
    <message>
        <source>Token embedding × %1</source>
        <translation>词元嵌入 × %1</translation>
    </message>
    <message>
        <source>the decoder&apos;s embedding</source>
        <translation>解码器的嵌入</translation>
    </message>
    <message>
        <source>Block %1</source>
        <translation>块 %1</translation>
    </message>
    <message>
        <source>Blocks %1 to %2</source>
        <translation>块 %1 到 %2</translation>
    </message>
    <message>
        <source>click to expand block %1</source>
        <translation>单击展开块 %1</translation>
    </message>
    <message>
        <source>block %1, attention</source>
        <translation>块 %1，注意力</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>%1 · no norm before it</source>
        <translation>%1 · 之前没有归一化</translation>
    </message>
    <message>
        <source>block %1, cross-attention</source>
        <translation>块 %1，交叉注意力</translation>
    </message>
    <message>
        <source>cross-attention</source>
        <translation>交叉注意力</translation>
    </message>
    <message>
        <source>block %1, feed-forward</source>
        <translation>块 %1，前馈网络</translation>
    </message>
    <message>
        <source>feed-forward</source>
        <translation>前馈网络</translation>
    </message>
    <message>
        <source>block %1 · %2</source>
        <translation>块 %1 · %2</translation>
    </message>
    <message>
        <source>query latent</source>
        <translation>查询潜变量</translation>
    </message>
    <message>
        <source>key–value latent</source>
        <translation>键值潜变量</translation>
    </message>
    <message>
        <source>%1 of %2 channels</source>
        <translation>%2 维中的 %1 维</translation>
    </message>
    <message>
        <source>− slope · distance</source>
        <translation>− 斜率 · 距离</translation>
    </message>
    <message>
        <source>+ relative bias</source>
        <translation>+ 相对偏置</translation>
    </message>
    <message>
        <source>Causal mask</source>
        <translation>因果掩码</translation>
    </message>
    <message>
        <source>No mask</source>
        <translation>无掩码</translation>
    </message>
    <message>
        <source>%1, top %2 per token</source>
        <translation>%1，每个词元用 %2 个</translation>
    </message>
    <message>
        <source>Router</source>
        <translation>路由器</translation>
    </message>
    <message>
        <source>Shared expert</source>
        <translation>共享专家</translation>
    </message>
    <message>
        <source>%1 of %2 experts</source>
        <translation>%2 个专家中的 %1 个</translation>
    </message>
    <message>
        <source>Dense, %1</source>
        <translation>稠密，%1</translation>
    </message>
    <message>
        <source>Next sentence</source>
        <translation>下一句</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>token embedding, bias %1</source>
        <translation>词元嵌入，偏置 %1</translation>
    </message>
    <message>
        <source>tied to the token embedding</source>
        <translation>与词元嵌入绑定</translation>
    </message>
    <message>
        <source>norm of q</source>
        <translation>q 的归一化</translation>
    </message>
    <message>
        <source>norm of k</source>
        <translation>k 的归一化</translation>
    </message>
    <message>
        <source>Rotate q, k</source>
        <translation>旋转 q、k</translation>
    </message>
    <message>
        <source>Base %1</source>
        <translation>基 %1</translation>
    </message>
    <message>
        <source>Cap at %1</source>
        <translation>上限 %1</translation>
    </message>
    <message>
        <source>Softmax, sink, v</source>
        <translation>softmax、汇点、v</translation>
    </message>
    <message>
        <source>Softmax, v</source>
        <translation>softmax、v</translation>
    </message>
    <message>
        <source>Window %1</source>
        <translation>窗口 %1</translation>
    </message>
    <message>
        <source>Logits × %1</source>
        <translation>logits × %1</translation>
    </message>
</context>
<context>
    <name>headscope::ui::StatusLine</name>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Forward pass</source>
        <translation>前向传播</translation>
    </message>
    <message>
        <source>Painting</source>
        <translation>绘制</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>paint %1 ms</source>
        <translation>绘制 %1 毫秒</translation>
    </message>
</context>
<context>
    <name>headscope::ui::StepBar</name>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>current stage</source>
        <translation>当前阶段</translation>
    </message>
    <message>
        <source>done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>upcoming</source>
        <translation>待计算</translation>
    </message>
    <message>
        <source>%1 of %2: %3, %4</source>
        <translation>%1 / %2：%3，%4</translation>
    </message>
</context>
<context>
    <name>headscope::ui::SweepPanel</name>
    <message>
        <source>Map of effects</source>
        <translation>效应图</translation>
    </message>
    <message>
        <source>Score against causal effect</source>
        <translation>得分与因果效应</translation>
    </message>
    <message>
        <source>Effects of heads</source>
        <translation>头的效应</translation>
    </message>
    <message>
        <source>effect %1</source>
        <translation>效应 %1</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TableControls</name>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>偏移</translation>
    </message>
    <message>
        <source>Dimensions</source>
        <translation>维数</translation>
    </message>
    <message>
        <source>Base</source>
        <translation>底数</translation>
    </message>
    <message>
        <source>▶  Slide p</source>
        <translation>▶  滑动 p</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试一试</translation>
    </message>
    <message>
        <source>❚❚  Pause</source>
        <translation>❚❚  暂停</translation>
    </message>
    <message>
        <source>Only sinusoidal encodings have a base</source>
        <translation>只有正弦编码有底数</translation>
    </message>
    <message>
        <source>The width of these embeddings is fixed</source>
        <translation>这些嵌入的宽度是固定的</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TensorTableModel</name>
    <message>
        <source>unused</source>
        <translation>未用</translation>
    </message>
    <message>
        <source>tensor %1</source>
        <translation>张量 %1</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Stored as</source>
        <translation>存储为</translation>
    </message>
    <message>
        <source>Minimum</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>最大</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TextActions</name>
    <message>
        <source>Gives the retrieval score of heads a needle: a sentence that the text copies</source>
        <translation>为各头的检索分数提供目标片段：文本所复制的一句话</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TextsOfB</name>
    <message>
        <source>and target</source>
        <translation>和目标</translation>
    </message>
    <message>
        <source>Sentence of B</source>
        <translation>B 的句子</translation>
    </message>
    <message>
        <source>the same sentence</source>
        <translation>同一个句子</translation>
    </message>
    <message>
        <source>Target of B</source>
        <translation>B 的目标</translation>
    </message>
    <message>
        <source>the same target</source>
        <translation>同一目标</translation>
    </message>
    <message>
        <source>B reads</source>
        <translation>B 读取</translation>
    </message>
    <message>
        <source>target of B</source>
        <translation>B 的目标</translation>
    </message>
    <message>
        <source>sentence of B</source>
        <translation>B 的句子</translation>
    </message>
    <message>
        <source>and second text</source>
        <translation>和第二段文本</translation>
    </message>
    <message>
        <source>Second text of B</source>
        <translation>B 的第二段文本</translation>
    </message>
    <message>
        <source>the same second text</source>
        <translation>相同的第二段文本</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ThingsToTry</name>
    <message>
        <source>train a model</source>
        <translation>训练一个模型</translation>
    </message>
</context>
<context>
    <name>headscope::ui::ThingsToTryBar</name>
    <message>
        <source>Things to try</source>
        <translation>可以尝试</translation>
    </message>
    <message>
        <source>Select this head and pair</source>
        <translation>选中这个注意力头和词元对</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TilesCanvas</name>
    <message>
        <source>nothing computed yet</source>
        <translation>尚未计算</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TilesDiagram</name>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Completed steps</source>
        <translation>已完成的步</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Pause the steps</source>
        <translation>暂停逐步播放</translation>
    </message>
    <message>
        <source>Play the steps</source>
        <translation>逐步播放</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TimelineWidget</name>
    <message>
        <source>Timeline</source>
        <translation>时间轴</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>, pinned</source>
        <translation>，已固定</translation>
    </message>
    <message>
        <source>, shown</source>
        <translation>，当前显示</translation>
    </message>
    <message>
        <source>no snapshots yet</source>
        <translation>还没有快照</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TokenEditor</name>
    <message>
        <source>Text of token %1</source>
        <translation>词元 %1 的文字</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TokenGenerator</name>
    <message>
        <source>%1 is not a complete character, so it cannot be added to the text. Choose another seed.</source>
        <translation>%1 不是完整的字符，因此不能添加到文本。请换一个种子。</translation>
    </message>
    <message>
        <source>Sampled %1: the text ends here.</source>
        <translation>采样得到 %1：文本到此结束。</translation>
    </message>
    <message>
        <source>The text has reached the model&apos;s maximum length</source>
        <translation>文本已达模型的最大长度</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>没有打开模型</translation>
    </message>
    <message>
        <source>The rest of a character is being sampled</source>
        <translation>正在采样字符的其余部分</translation>
    </message>
    <message>
        <source>%1 is part of a character and cannot be added alone. Such characters can be completed in A for a model with one text. Choose another seed.</source>
        <translation>%1 是字符的一部分，不能单独添加。这类字符可以在单文本模型的 A 中补全。请换一个种子。</translation>
    </message>
    <message>
        <source>A captured trace cannot be continued. Open a model.</source>
        <translation>捕获的追踪不能续写。请打开一个模型。</translation>
    </message>
    <message>
        <source>Select the last token to continue the text there</source>
        <translation>选择最后一个词元以从那里续写</translation>
    </message>
    <message>
        <source>There is no prediction here</source>
        <translation>此处没有预测</translation>
    </message>
    <message>
        <source>B has a different text. Show A to continue this one.</source>
        <translation>B 的文本不同。显示 A 才能续写此文本。</translation>
    </message>
    <message>
        <source>This model is an encoder: it fills in positions of a text and does not continue it, so no token can be sampled</source>
        <translation>此模型是编码器：它填补文本中的位置，而不续写，因此无法采样词元</translation>
    </message>
    <message>
        <source>A chat is continued by turns. Choose “Write reply” above</source>
        <translation>对话按轮次继续。请选择上方的“写出回复”</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TokenRows</name>
    <message>
        <source>Pieces</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>Words, sum</source>
        <translation>词，求和</translation>
    </message>
    <message>
        <source>Words, mean</source>
        <translation>词，平均</translation>
    </message>
    <message>
        <source>%1, special hidden</source>
        <translation>%1，已隐藏特殊词元</translation>
    </message>
    <message>
        <source>Target tokens</source>
        <translation>目标词元</translation>
    </message>
    <message>
        <source>Token display</source>
        <translation>词元显示</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Token display: %1</source>
        <translation>词元显示：%1</translation>
    </message>
    <message>
        <source>Source tokens</source>
        <translation>源词元</translation>
    </message>
    <message>
        <source>Token %1 was added by the model and is not part of the text.</source>
        <translation>词元 %1 由模型添加，不是文本的一部分。</translation>
    </message>
    <message>
        <source>%1, special and first hidden</source>
        <translation>%1，已隐藏特殊词元和首词元</translation>
    </message>
    <message>
        <source>%1, first hidden</source>
        <translation>%1，已隐藏首词元</translation>
    </message>
    <message>
        <source>A captured trace is read-only. Open a model to edit the text.</source>
        <translation>捕获的追踪是只读的。打开模型才能编辑文本。</translation>
    </message>
    <message>
        <source>%1, template folded</source>
        <translation>%1，模板已折叠</translation>
    </message>
    <message>
        <source>Edit the turn above to change the text of a chat.</source>
        <translation>要更改对话的文本，请编辑上方的轮次。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TokenRowsDiagram</name>
    <message numerus="yes">
        <source>%1: %n token(s)</source>
        <translation>
            <numerusform>%1：%n 个词元</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headscope::ui::TokenRowsLayout</name>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TokenStrip</name>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>query %1, %2</source>
        <translation>查询 %1，%2</translation>
    </message>
    <message>
        <source>%1 of %2 shown</source>
        <translation>显示 %1 / %2</translation>
    </message>
    <message>
        <source>“%1” · position %2 · id %3</source>
        <translation>“%1” · 位置 %2 · 编号 %3</translation>
    </message>
    <message>
        <source>special token, not in the text</source>
        <translation>特殊词元，不在文本中</translation>
    </message>
    <message>
        <source>bytes %1 to %2 of the text</source>
        <translation>文本的第 %1 到 %2 字节</translation>
    </message>
    <message>
        <source>part of the preceding character</source>
        <translation>属于前一个字符</translation>
    </message>
    <message>
        <source>beyond the model&apos;s context, not computed</source>
        <translation>超出模型的上下文，未计算</translation>
    </message>
    <message>
        <source>, query</source>
        <translation>，查询</translation>
    </message>
    <message>
        <source>, key</source>
        <translation>，键</translation>
    </message>
    <message>
        <source>, beyond the model’s context</source>
        <translation>，超出模型的上下文</translation>
    </message>
    <message>
        <source>, %1</source>
        <translation>，%1</translation>
    </message>
    <message>
        <source>, written by the chat template</source>
        <translation>，由对话模板写出</translation>
    </message>
    <message>
        <source>%1, turn %2</source>
        <translation>%1，第 %2 轮</translation>
    </message>
    <message>
        <source>written by the chat template</source>
        <translation>由对话模板写出</translation>
    </message>
</context>
<context>
    <name>headscope::ui::Tour</name>
    <message>
        <source>Skip</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Guided tour</source>
        <translation>导览</translation>
    </message>
    <message>
        <source>Type a sentence</source>
        <translation>输入一个句子</translation>
    </message>
    <message>
        <source>Attention updates with every key you press.</source>
        <translation>每按一个键，注意力都会更新。</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>The model splits the text into tokens. Click a token to make it the query, Shift-click to make it the key, double-click to edit it.</source>
        <translation>模型把文本拆成词元。单击设为查询，按住 Shift 单击设为键，双击编辑。</translation>
    </message>
    <message>
        <source>All heads at a glance</source>
        <translation>所有头一览</translation>
    </message>
    <message>
        <source>Each small square is the attention pattern of one head. Select one to see it large, with its numbers in the inspector.</source>
        <translation>每个小方块是一个头的注意力模式。选择一个即可放大，其数值显示在检查器中。</translation>
    </message>
    <message>
        <source>Change and compare</source>
        <translation>更改并比较</translation>
    </message>
    <message>
        <source>On the What-if page remove the causal mask, or press Del to ablate a head (set its output to zero). A stays as trained, B shows your changes. Undo reverts them.</source>
        <translation>在“假设”页面去掉因果掩码，或按 Del 消融一个头（把其输出设为零）。A 保持训练所得，B 显示你的更改。撤销即可还原。</translation>
    </message>
    <message>
        <source>Export and explore</source>
        <translation>导出与探索</translation>
    </message>
    <message>
        <source>Export any page as a figure (Ctrl+E) or as data from the File menu. Press Shift+F1, then click anything for an explanation.</source>
        <translation>用 Ctrl+E 把任何页面导出为图，或用“文件”菜单导出为数据。按 Shift+F1 后单击任何部分即可看到说明。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TraceLoader</name>
    <message>
        <source>This trace contains no attention patterns, so the attention pages are empty.</source>
        <translation>此追踪不含注意力模式，因此注意力页面为空。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TrainBar</name>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>More ▾</source>
        <translation>更多 ▾</translation>
    </message>
    <message>
        <source>Train one step, then pause (F10)</source>
        <translation>训练一步，然后暂停 (F10)</translation>
    </message>
    <message>
        <source>Save and close the run (Shift+F5)</source>
        <translation>保存并关闭训练运行 (Shift+F5)</translation>
    </message>
    <message>
        <source>Pause after the current step (F5)</source>
        <translation>在当前步之后暂停 (F5)</translation>
    </message>
    <message>
        <source>Train (F5)</source>
        <translation>训练 (F5)</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1 步</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TrainCharts</name>
    <message>
        <source>Scores, gradients and learning rate</source>
        <translation>得分、梯度和学习率</translation>
    </message>
    <message>
        <source>Loss and accuracy</source>
        <translation>损失和准确率</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TrainControls</name>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>Head scores</source>
        <translation>头得分</translation>
    </message>
    <message>
        <source>Steps on a logarithmic axis</source>
        <translation>步使用对数轴</translation>
    </message>
    <message>
        <source>Upper chart</source>
        <translation>上方图表</translation>
    </message>
    <message>
        <source>Stop playing</source>
        <translation>停止播放</translation>
    </message>
    <message>
        <source>Scores of what each head attends to</source>
        <translation>每个头关注什么的得分</translation>
    </message>
    <message>
        <source>Log values</source>
        <translation>值取对数</translation>
    </message>
    <message>
        <source>There are no snapshots before the first step</source>
        <translation>第一步之前没有快照</translation>
    </message>
    <message>
        <source>Fraction of held-out targets predicted correctly</source>
        <translation>留出的目标中预测正确的比例</translation>
    </message>
    <message>
        <source>Before clipping, total and by layer</source>
        <translation>裁剪之前，整体和各层</translation>
    </message>
    <message>
        <source>Used and planned</source>
        <translation>实际和计划</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>Log steps</source>
        <translation>步取对数</translation>
    </message>
    <message>
        <source>Play the snapshots in order (Space on the timeline)</source>
        <translation>依次播放快照（在时间轴上按空格）</translation>
    </message>
    <message>
        <source>Training and validation loss</source>
        <translation>训练损失和验证损失</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Values on a logarithmic axis</source>
        <translation>值使用对数轴</translation>
    </message>
    <message>
        <source>Lower chart</source>
        <translation>下方图表</translation>
    </message>
    <message>
        <source>Expert load</source>
        <translation>专家负载</translation>
    </message>
    <message>
        <source>Fraction of the tokens that go to each expert</source>
        <translation>去往每个专家的词元比例</translation>
    </message>
    <message>
        <source>Checkpoints of another program have no log</source>
        <translation>其他程序的检查点没有日志</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TrainFacts</name>
    <message>
        <source>Task: %1</source>
        <translation>任务：%1</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Checkpoints: %1</source>
        <translation>检查点：%1</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TrainHeads</name>
    <message>
        <source>Cross</source>
        <translation>交叉</translation>
    </message>
    <message>
        <source>Source to source</source>
        <translation>源到源</translation>
    </message>
    <message>
        <source>The window shows another model. Move the timeline to return to this run.</source>
        <translation>窗口显示的是另一个模型。移动时间轴即可回到此训练运行。</translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>All heads appear here once the run has started.</source>
        <translation>训练运行开始后，所有头显示在此。</translation>
    </message>
    <message>
        <source>Type a text above to see what the heads attend to.</source>
        <translation>在上方输入文本，查看各个头关注什么。</translation>
    </message>
    <message>
        <source>%1 tokens · fixed scale 0 to 1</source>
        <translation>%1 个词元 · 固定刻度 0 到 1</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>Target to target</source>
        <translation>目标到目标</translation>
    </message>
    <message>
        <source>Attention at step %1</source>
        <translation>第 %1 步的注意力</translation>
    </message>
    <message>
        <source>Attention now</source>
        <translation>当前的注意力</translation>
    </message>
    <message>
        <source>Part of the model</source>
        <translation>模型的部分</translation>
    </message>
    <message>
        <source>Target to source</source>
        <translation>目标到源</translation>
    </message>
    <message>
        <source>The run is being opened.</source>
        <translation>正在打开运行。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TrainMenu</name>
    <message>
        <source>Pin or unpin the shown snapshot</source>
        <translation>固定或取消固定显示的快照</translation>
    </message>
    <message>
        <source>Restart with the same seed</source>
        <translation>用相同的种子重新开始</translation>
    </message>
    <message>
        <source>Export as film frames…</source>
        <translation>导出为影片…</translation>
    </message>
    <message>
        <source>Fork a new run from the shown snapshot</source>
        <translation>从显示的快照分叉出新的训练运行</translation>
    </message>
    <message>
        <source>Extend training by half</source>
        <translation>再训练一半的步数</translation>
    </message>
    <message>
        <source>Save a checkpoint</source>
        <translation>保存检查点</translation>
    </message>
    <message>
        <source>Compare the shown snapshot as B</source>
        <translation>将显示的快照作为 B 比较</translation>
    </message>
    <message>
        <source>Restart with a new seed</source>
        <translation>用新的种子重新开始</translation>
    </message>
    <message>
        <source>New run…</source>
        <translation>新建训练运行…</translation>
    </message>
    <message>
        <source>Measure the heads of all checkpoints</source>
        <translation>测量所有检查点的注意力头</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TrainMessages</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Exporting the film: frame %1 of %2</source>
        <translation>正在写入影片：第 %1 帧，共 %2 帧</translation>
    </message>
    <message>
        <source>Preparing the run</source>
        <translation>正在准备训练运行</translation>
    </message>
    <message>
        <source>Show step %1</source>
        <translation>显示第 %1 步</translation>
    </message>
    <message>
        <source>Measuring the heads of all checkpoints: %1 of %2</source>
        <translation>正在测量所有检查点的注意力头：%1 / %2</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TrainPage</name>
    <message>
        <source>%1 frames saved to %2.</source>
        <translation>%1 帧已存入 %2。</translation>
    </message>
    <message>
        <source>F5 starts and pauses · F10 one step · ← → through snapshots · Space plays · P pins</source>
        <translation>F5 开始和暂停 · F10 单步 · ← → 浏览快照 · 空格播放 · P 固定</translation>
    </message>
    <message>
        <source>Folder for the frames</source>
        <translation>存放各帧的文件夹</translation>
    </message>
    <message>
        <source>Train a model and watch its curves, head scores and attention. Start, pause or step; the timeline returns every page to any snapshot of the weights.</source>
        <translation>训练一个模型，观察其曲线、头得分和注意力。可开始、暂停或单步；时间轴可使每个页面回到权重的任一快照。</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>What is the model learning right now?</source>
        <translation>模型现在正在学什么？</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>What each head attends to</source>
        <translation>每个头关注什么</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>Which expert each token goes to</source>
        <translation>每个词元去哪个专家</translation>
    </message>
    <message>
        <source>Right side</source>
        <translation>右侧</translation>
    </message>
    <message>
        <source>← → through checkpoints · Home and End to the first and the newest · Space plays</source>
        <translation>← → 切换检查点 · Home 和 End 跳到第一个和最新的 · 空格键播放</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TrainPlan</name>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Choose a text…</source>
        <translation>选择文本…</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Back to the run</source>
        <translation>返回训练运行</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>New run</source>
        <translation>新建训练运行</translation>
    </message>
    <message>
        <source>Train (F5)</source>
        <translation>训练 (F5)</translation>
    </message>
    <message>
        <source>Choose a text first</source>
        <translation>请先选择文本</translation>
    </message>
    <message>
        <source>Choose a training text</source>
        <translation>选择训练文本</translation>
    </message>
    <message>
        <source>All settings…</source>
        <translation>所有设置…</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TrainReadings</name>
    <message>
        <source>Readings</source>
        <translation>读数</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TrainSettings</name>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>The peak of the schedule, from the next step on</source>
        <translation>学习率调度的峰值，从下一步起生效</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Rows in a batch, from the next step on</source>
        <translation>批次中的行数，从下一步起生效</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>Dropout</translation>
    </message>
    <message>
        <source>Fraction of activations set to 0 in training</source>
        <translation>训练中置为 0 的激活值的比例</translation>
    </message>
    <message>
        <source>Log every</source>
        <translation>记录间隔</translation>
    </message>
    <message>
        <source>Steps between two log entries</source>
        <translation>两条日志之间的步数</translation>
    </message>
    <message>
        <source>Not a number. The settings are unchanged.</source>
        <translation>这不是一个数。设置不变。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::Training</name>
    <message>
        <source>B: weights at step %1</source>
        <translation>B：第 %1 步的权重</translation>
    </message>
    <message>
        <source>Step %1 is left out: %2</source>
        <translation>第 %1 步未列入：%2</translation>
    </message>
    <message>
        <source>%1 checkpoints are left out. Step %2: %3</source>
        <translation>%1 个检查点未列入。第 %2 步：%3</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TrainingDesk</name>
    <message>
        <source>P&amp;ause training</source>
        <translation>暂停训练(&amp;A)</translation>
    </message>
    <message>
        <source>St&amp;art training</source>
        <translation>开始训练(&amp;A)</translation>
    </message>
    <message>
        <source>A run is in training, at step %1. What shall become of it?</source>
        <translation>有一个训练运行正在训练，已到第 %1 步。要如何处理？</translation>
    </message>
    <message>
        <source>Save and close</source>
        <translation>保存并关闭</translation>
    </message>
    <message>
        <source>Discard and close</source>
        <translation>放弃并关闭</translation>
    </message>
    <message>
        <source>Keep training</source>
        <translation>继续训练</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TreeWidget</name>
    <message>
        <source>Best path: %1</source>
        <translation>最佳路径：%1</translation>
    </message>
</context>
<context>
    <name>headscope::ui::TurnRow</name>
    <message>
        <source>Role of turn %1</source>
        <translation>第 %1 轮的角色</translation>
    </message>
    <message>
        <source>Turn %1, %2</source>
        <translation>第 %1 轮，%2</translation>
    </message>
    <message>
        <source>Type what the %1 says</source>
        <translation>输入%1所说的话</translation>
    </message>
    <message>
        <source>Remove turn %1</source>
        <translation>删除第 %1 轮</translation>
    </message>
    <message>
        <source>A chat has at least one turn</source>
        <translation>对话至少有一轮</translation>
    </message>
    <message>
        <source>Remove this turn</source>
        <translation>删除这一轮</translation>
    </message>
</context>
<context>
    <name>headscope::ui::VariantBar</name>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>A and B have different numbers of tokens, layers or heads, so B−A is not defined</source>
        <translation>A 与 B 的词元数、层数或头数不同，因此 B−A 无定义</translation>
    </message>
    <message>
        <source>As trained</source>
        <translation>训练所得</translation>
    </message>
    <message>
        <source>With your changes</source>
        <translation>含你的更改</translation>
    </message>
    <message>
        <source>Effect of your changes</source>
        <translation>你的更改的效果</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>B−A</source>
        <translation>B−A</translation>
    </message>
</context>
<context>
    <name>headscope::ui::WeightEditBox</name>
    <message>
        <source>Open a file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>with head</source>
        <translation>与头</translation>
    </message>
    <message>
        <source>Apply to B</source>
        <translation>应用到 B</translation>
    </message>
    <message>
        <source>Part of the matrix to edit</source>
        <translation>要编辑的部分</translation>
    </message>
    <message>
        <source>Kind of edit</source>
        <translation>编辑方式</translation>
    </message>
    <message>
        <source>Head to edit</source>
        <translation>要编辑的头</translation>
    </message>
    <message>
        <source>Head to swap with</source>
        <translation>要交换的另一个头</translation>
    </message>
    <message>
        <source>Adds this edit to the changes of B; A stays as it is</source>
        <translation>将此编辑加入 B 的更改；A 保持不变</translation>
    </message>
    <message>
        <source>Set to</source>
        <translation>设为</translation>
    </message>
    <message>
        <source>Multiply by</source>
        <translation>乘以</translation>
    </message>
    <message>
        <source>Set to 0</source>
        <translation>设为 0</translation>
    </message>
    <message>
        <source>Take from</source>
        <translation>取自</translation>
    </message>
    <message>
        <source>now %1</source>
        <translation>当前 %1</translation>
    </message>
    <message>
        <source>This weight</source>
        <translation>此权重</translation>
    </message>
    <message>
        <source>This row</source>
        <translation>此行</translation>
    </message>
    <message>
        <source>This column</source>
        <translation>此列</translation>
    </message>
    <message>
        <source>One head</source>
        <translation>一个头</translation>
    </message>
    <message>
        <source>Whole matrix</source>
        <translation>整个矩阵</translation>
    </message>
    <message>
        <source>Two heads: swap</source>
        <translation>两个头：交换</translation>
    </message>
    <message>
        <source>Model to take the weights from</source>
        <translation>提供权重的模型</translation>
    </message>
    <message>
        <source>New value or factor</source>
        <translation>新值或系数</translation>
    </message>
    <message>
        <source>builtin:NAME, or the path of a checkpoint, a GGUF file or a folder, with the same sizes</source>
        <translation>builtin:名称，或大小相同的检查点、GGUF 文件或文件夹的路径</translation>
    </message>
    <message>
        <source>A number; press Enter to apply</source>
        <translation>一个数；按回车应用</translation>
    </message>
    <message>
        <source>builtin:NAME or a path</source>
        <translation>builtin:名称 或路径</translation>
    </message>
    <message>
        <source>factor</source>
        <translation>系数</translation>
    </message>
    <message>
        <source>number</source>
        <translation>数</translation>
    </message>
    <message>
        <source>Type a number first.</source>
        <translation>请先输入一个数。</translation>
    </message>
    <message>
        <source>“%1” is not a number. Type one such as 0.5.</source>
        <translation>“%1”不是数。请输入例如 0.5。</translation>
    </message>
    <message>
        <source>Choose two different heads to swap.</source>
        <translation>请选择两个不同的头进行交换。</translation>
    </message>
    <message>
        <source>Name a model first, or open a file.</source>
        <translation>请先写出模型名称，或打开文件。</translation>
    </message>
    <message>
        <source>Take weights from a model</source>
        <translation>从模型取用权重</translation>
    </message>
    <message>
        <source>Models (*.gguf *.safetensors)</source>
        <translation>模型 (*.gguf *.safetensors)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>headscope::ui::WeightsMeasurement</name>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
</context>
<context>
    <name>headscope::ui::WeightsPage</name>
    <message>
        <source>Part of the model</source>
        <translation>模型的部分</translation>
    </message>
    <message>
        <source>Weight matrix</source>
        <translation>权重矩阵</translation>
    </message>
    <message>
        <source>Rows to draw</source>
        <translation>显示的行</translation>
    </message>
    <message>
        <source>Whole matrix</source>
        <translation>整个矩阵</translation>
    </message>
    <message>
        <source>Every row; of a large matrix the largest weight of each block</source>
        <translation>所有行；大矩阵显示每个块中绝对值最大的权重</translation>
    </message>
    <message>
        <source>Near the row</source>
        <translation>该行附近</translation>
    </message>
    <message>
        <source>The rows around the selected one</source>
        <translation>所选行周围的行</translation>
    </message>
    <message>
        <source>Weights of the matrix</source>
        <translation>矩阵的权重</translation>
    </message>
    <message>
        <source>The weights as opened</source>
        <translation>打开时的权重</translation>
    </message>
    <message>
        <source>The weights after the edits</source>
        <translation>编辑后的权重</translation>
    </message>
    <message>
        <source>What the edits changed</source>
        <translation>编辑所改变的部分</translation>
    </message>
    <message>
        <source>A and B are models of different sizes</source>
        <translation>A 和 B 是大小不同的模型</translation>
    </message>
    <message>
        <source>edit %1</source>
        <translation>编辑 %1</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Arrows move the cell · Ctrl+wheel enlarges · Esc shows all · Ctrl+Z undoes an edit</source>
        <translation>方向键移动单元格 · Ctrl+滚轮放大 · Esc 显示全部 · Ctrl+Z 撤销编辑</translation>
    </message>
    <message>
        <source>A weight is not computed from other numbers: training set it, or an edit.</source>
        <translation>权重不是由其他数计算出来的：它由训练或编辑设定。</translation>
    </message>
    <message>
        <source>What is in each weight matrix, and what if it were different?</source>
        <translation>每个权重矩阵里有什么？若它不同又会怎样？</translation>
    </message>
    <message>
        <source>See every weight matrix of the model, its singular values, and any row or column by its token. Edit one weight, a row, a head or a whole matrix: the edited model is B, on every page.</source>
        <translation>查看模型的每个权重矩阵、其奇异值，以及按词元查看任意一行或一列。编辑一个权重、一行、一个头或整个矩阵：编辑后的模型就是所有页面上的 B。</translation>
    </message>
    <message>
        <source>A captured trace has no weights. Open its model to see and edit them.</source>
        <translation>捕获的追踪不含权重。请打开其模型以查看和编辑权重。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::WeightsSidePanel</name>
    <message>
        <source>Nearest tokens, by cosine</source>
        <translation>按余弦最接近的词元</translation>
    </message>
    <message>
        <source>Describe the row or the column</source>
        <translation>描述行或列</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Token of the sentence</source>
        <translation>句子中的词元</translation>
    </message>
    <message>
        <source>Selects the row or column of a token of the sentence</source>
        <translation>选择句子中某个词元的行或列</translation>
    </message>
    <message>
        <source>Singular values</source>
        <translation>奇异值</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>row </source>
        <translation>行 </translation>
    </message>
    <message>
        <source>column </source>
        <translation>列 </translation>
    </message>
    <message>
        <source>“%1”, token %2</source>
        <translation>“%1”，词元 %2</translation>
    </message>
    <message>
        <source>Token of the sentence…</source>
        <translation>句子中的词元…</translation>
    </message>
    <message>
        <source>Weight of B minus A, in the selected cell</source>
        <translation>所选单元格中 B 减 A 的权重</translation>
    </message>
    <message>
        <source>Weight in the selected cell</source>
        <translation>所选单元格中的权重</translation>
    </message>
</context>
<context>
    <name>headscope::ui::WhatIfEditor</name>
    <message>
        <source>Weight of %1, %2 on %3, %4</source>
        <translation>%1，%2 对 %3，%4 的权重</translation>
    </message>
    <message>
        <source>Renormalise the rest of the row</source>
        <translation>重新归一化行的其余部分</translation>
    </message>
    <message>
        <source>Enter a number from 0 to 1.</source>
        <translation>请输入 0 到 1 之间的数。</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>weight %1 → %2</source>
        <translation>权重 %1 → %2</translation>
    </message>
    <message>
        <source>Embedding to use for “%1”, %2</source>
        <translation>用于“%1”的嵌入，%2</translation>
    </message>
    <message>
        <source>Type another token; a leading space counts.</source>
        <translation>输入另一个词元；前导空格也算。</translation>
    </message>
    <message>
        <source>the embedding of “%1”, id %2</source>
        <translation>“%1”的嵌入，编号 %2</translation>
    </message>
    <message>
        <source>token %1 swapped</source>
        <translation>词元 %1 已替换</translation>
    </message>
</context>
<context>
    <name>headscope::ui::WhatIfMaps</name>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>Pattern of A</source>
        <translation>A 的注意力模式</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Pattern of B</source>
        <translation>B 的注意力模式</translation>
    </message>
    <message>
        <source>B − A</source>
        <translation>B − A</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>as trained</source>
        <translation>训练所得</translation>
    </message>
    <message>
        <source>difference, %1</source>
        <translation>差异，%1</translation>
    </message>
    <message>
        <source>No difference to show</source>
        <translation>没有可显示的差异</translation>
    </message>
    <message>
        <source>A and B have different numbers of tokens or heads.</source>
        <translation>A 和 B 的词元数或头数不同。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::WhatIfOffers</name>
    <message>
        <source>Ablate head</source>
        <translation>消融头</translation>
    </message>
    <message>
        <source>Replaces the active head&apos;s output by zero or its mean</source>
        <translation>把当前头的输出替换为零或其均值</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Uses another position encoding in B</source>
        <translation>在 B 中使用另一种位置编码</translation>
    </message>
    <message>
        <source>Edit a weight</source>
        <translation>编辑权重</translation>
    </message>
    <message>
        <source>Sets the weight of B&apos;s current cell (Enter there)</source>
        <translation>设置 B 当前单元格的权重（在其上按 Enter）</translation>
    </message>
    <message>
        <source>Edit the row</source>
        <translation>编辑行</translation>
    </message>
    <message>
        <source>Makes B&apos;s current row uniform, or puts all its weight on one key</source>
        <translation>使 B 当前行均匀，或把全部权重放在一个键上</translation>
    </message>
    <message>
        <source>Swap a token</source>
        <translation>替换词元</translation>
    </message>
    <message>
        <source>Replaces the embedding of the current query by another token&apos;s</source>
        <translation>把当前查询的嵌入替换为另一个词元的嵌入</translation>
    </message>
    <message>
        <source>Freeze patterns</source>
        <translation>冻结注意力模式</translation>
    </message>
    <message>
        <source>Keeps attention patterns fixed while the text changes</source>
        <translation>文本改变时保持注意力模式不变</translation>
    </message>
    <message>
        <source>Zero the output of head %1</source>
        <translation>把头 %1 的输出置零</translation>
    </message>
    <message>
        <source>Replace head %1 by its mean over the text</source>
        <translation>把头 %1 替换为其文本均值</translation>
    </message>
    <message>
        <source>Restore head %1</source>
        <translation>恢复头 %1</translation>
    </message>
    <message>
        <source>positions: %1</source>
        <translation>位置：%1</translation>
    </message>
    <message>
        <source>positions as trained</source>
        <translation>位置为训练所得</translation>
    </message>
    <message>
        <source>As trained</source>
        <translation>训练所得</translation>
    </message>
    <message>
        <source>row %1 of head %2</source>
        <translation>头 %2 的第 %1 行</translation>
    </message>
    <message>
        <source>Same weight for every key</source>
        <translation>每个键权重相同</translation>
    </message>
    <message>
        <source>All weight on “%1”, %2</source>
        <translation>全部权重在“%1”上，%2</translation>
    </message>
    <message>
        <source>As computed</source>
        <translation>计算所得</translation>
    </message>
    <message>
        <source>frozen head %1</source>
        <translation>冻结头 %1</translation>
    </message>
    <message>
        <source>frozen patterns</source>
        <translation>冻结的注意力模式</translation>
    </message>
    <message>
        <source>All heads, with their patterns on this text</source>
        <translation>所有头，用其在此文本上的注意力模式</translation>
    </message>
    <message>
        <source>Head %1 only</source>
        <translation>仅头 %1</translation>
    </message>
    <message>
        <source>unfreeze patterns</source>
        <translation>解除冻结</translation>
    </message>
</context>
<context>
    <name>headscope::ui::WhatIfPage</name>
    <message>
        <source>Space blocks a cell · Enter edits its weight · Drag paints, Shift erases · Ctrl+click: a number&apos;s origin</source>
        <translation>空格屏蔽单元格 · Enter 编辑其权重 · 拖动绘制，Shift 擦除 · Ctrl+单击：数值的来源</translation>
    </message>
    <message>
        <source>What-if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>A captured trace cannot be recomputed with changes. Open a model to use What-if.</source>
        <translation>捕获的追踪不能带更改重新计算。打开模型以使用“假设”。</translation>
    </message>
    <message>
        <source>What changes when you intervene?</source>
        <translation>干预之后什么会变？</translation>
    </message>
    <message>
        <source>Change the mask, the positions or a head and compare: A is the model as trained, B has your changes, B − A is the difference. Undo reverts any change.</source>
        <translation>更改掩码、位置或头并作比较：A 是训练所得的模型，B 含你的更改，B − A 是差异。撤销可还原任何更改。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::WhatIfPrediction</name>
    <message>
        <source>Next token in A and in B</source>
        <translation>A 和 B 中的下一词元</translation>
    </message>
    <message>
        <source>Next token</source>
        <translation>下一词元</translation>
    </message>
    <message>
        <source>after “%1”, A above B</source>
        <translation>“%1”之后，A 在 B 上方</translation>
    </message>
    <message>
        <source>after “%1”</source>
        <translation>“%1”之后</translation>
    </message>
</context>
<context>
    <name>headscope::ui::WhatsThis</name>
    <message>
        <source>Lesson: %1</source>
        <translation>课：%1</translation>
    </message>
</context>
<context>
    <name>headscope::ui::WindowFiles</name>
    <message>
        <source>Open a model, a session or a text</source>
        <translation>打开模型、会话或文本</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Save the session</source>
        <translation>保存会话</translation>
    </message>
    <message>
        <source>Sessions (*.hscope)</source>
        <translation>会话 (*.hscope)</translation>
    </message>
    <message>
        <source>Session saved to %1.</source>
        <translation>会话已存入 %1。</translation>
    </message>
    <message>
        <source>Figure saved to %1.</source>
        <translation>图已存入 %1。</translation>
    </message>
    <message>
        <source>Export the numbers of this view</source>
        <translation>导出此视图的数值</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>逗号分隔值 (*.csv)</translation>
    </message>
    <message>
        <source>NumPy array (*.npy)</source>
        <translation>NumPy 数组 (*.npy)</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Numbers saved to %1.</source>
        <translation>数值已存入 %1。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>Report saved to %1.</source>
        <translation>报告已存入 %1。</translation>
    </message>
    <message>
        <source>Models, sessions, figures and texts (*.gguf *.safetensors *.hscope *.png *.svg *.pdf *.html *.txt *.json)</source>
        <translation>模型、会话、图和文本 (*.gguf *.safetensors *.hscope *.png *.svg *.pdf *.html *.txt *.json)</translation>
    </message>
    <message>
        <source>Share as a page</source>
        <translation>分享为页面</translation>
    </message>
    <message>
        <source>Web pages (*.html)</source>
        <translation>网页 (*.html)</translation>
    </message>
    <message>
        <source>The page is in %1.</source>
        <translation>页面已存入 %1。</translation>
    </message>
</context>
<context>
    <name>headscope::ui::WorkedOverview</name>
    <message>
        <source>Whole formula and matrices so far</source>
        <translation>完整公式与已有矩阵</translation>
    </message>
    <message>
        <source>%1, input</source>
        <translation>%1，输入</translation>
    </message>
    <message>
        <source>%1, computed in step %2, %3</source>
        <translation>%1，在第 %2 步（%3）算出</translation>
    </message>
    <message>
        <source>Current operation: %1</source>
        <translation>当前运算：%1</translation>
    </message>
</context>
<context>
    <name>headscope::ui::WorkedWidget</name>
    <message>
        <source>Worked example</source>
        <translation>例题</translation>
    </message>
</context>
<context>
    <name>headscope::ui::WorkspaceSwitch</name>
    <message>
        <source>Workspaces</source>
        <translation>工作区</translation>
    </message>
</context>
<context>
    <name>headscope::ui::latex::LatexReader</name>
    <message>
        <source>more than %1 characters</source>
        <translation>超过 %1 个字符</translation>
    </message>
    <message>
        <source>unmatched “}”</source>
        <translation>未匹配的“}”</translation>
    </message>
    <message>
        <source>nested deeper than %1 groups</source>
        <translation>嵌套超过 %1 层</translation>
    </message>
    <message>
        <source>nothing before “%1”</source>
        <translation>此“%1”前面没有内容</translation>
    </message>
    <message>
        <source>double “%1”; put braces around one</source>
        <translation>重复的“%1”；请用花括号括起其中一个</translation>
    </message>
    <message>
        <source>missing argument in braces</source>
        <translation>缺少花括号中的参数</translation>
    </message>
    <message>
        <source>unclosed “{”</source>
        <translation>未闭合的“{”</translation>
    </message>
    <message>
        <source>unexpected “%1”</source>
        <translation>意外的“%1”</translation>
    </message>
    <message>
        <source>unknown command “\%1”</source>
        <translation>未知的命令“\%1”</translation>
    </message>
    <message>
        <source>unknown command “\%1”; did you mean “\%2”?</source>
        <translation>未知的命令“\%1”；是否指“\%2”？</translation>
    </message>
    <message>
        <source>only square roots are supported</source>
        <translation>仅支持平方根</translation>
    </message>
    <message>
        <source>“\left” without “\right”</source>
        <translation>“\left”没有对应的“\right”</translation>
    </message>
    <message>
        <source>an accent needs a single letter</source>
        <translation>重音记号需要单个字母</translation>
    </message>
</context>
<context>
    <name>headscope::ui::latex::LatexText</name>
    <message>
        <source>Invalid formula: %1, at character %2</source>
        <translation>无效的公式：%1，位于第 %2 个字符</translation>
    </message>
    <message>
        <source>nothing after “\”</source>
        <translation>“\”后面没有内容</translation>
    </message>
    <message>
        <source>missing bracket</source>
        <translation>缺少括号</translation>
    </message>
    <message>
        <source>missing text in braces</source>
        <translation>缺少花括号中的文字</translation>
    </message>
    <message>
        <source>braces inside text are not supported</source>
        <translation>不支持文字中的花括号</translation>
    </message>
    <message>
        <source>unclosed “{”</source>
        <translation>未闭合的“{”</translation>
    </message>
</context>
<context>
    <name>std</name>
    <message>
        <source>operands</source>
        <translation>运算数</translation>
    </message>
    <message>
        <source>operand</source>
        <translation>运算数</translation>
    </message>
    <message>
        <source>times</source>
        <translation>乘</translation>
    </message>
    <message>
        <source>term</source>
        <translation>项</translation>
    </message>
    <message>
        <source>%1 layers of %2 heads, %3 parameters</source>
        <translation>%1 层，每层 %2 个头，%3 个参数</translation>
    </message>
    <message>
        <source>Decoder on source</source>
        <translation>解码器对源</translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>解码器</translation>
    </message>
</context>
</TS>
