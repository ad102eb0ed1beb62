package org.fibnuma.binding.libc;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** An {@code argv}: an array of pointers to texts, with a null behind the last. The C side may reorder it. */
public final class ArgumentVector implements AutoCloseable
{
    private final int count;
    private final StructMemory memory;

    /**
     * A copy of texts in native memory.
     *
     * @param strings in their order, the name of the program first.
     */
    public ArgumentVector(final List<String> strings)
    {
        final List<byte[]> texts = strings.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
        final int pointers = (texts.size() + 1) * Long.BYTES;
        count = texts.size();
        memory = new StructMemory(pointers + texts.stream().mapToInt(text -> text.length + 1).sum());
        int at = pointers;
        for (int i = 0; i < count; i++)
        {
            memory.putLong(i * Long.BYTES, memory.address() + at);
            memory.putBytes(at, texts.get(i));
            at += texts.get(i).length + 1;
        }
    }

    /**
     * The {@code argc}.
     *
     * @return how many texts there are.
     */
    public int count()
    {
        return count;
    }

    /**
     * The {@code argv}, valid until this is closed.
     *
     * @return address of the first pointer.
     */
    public long address()
    {
        return memory.address();
    }

    @Override
    public void close()
    {
        memory.close();
    }
}
