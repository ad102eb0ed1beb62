package org.fibnuma.binding.libc;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** An {@code argv}: an array of pointers to strings, terminated by a null pointer. The C side may reorder it. */
public final class ArgumentVector implements AutoCloseable
{
    private final int count;
    private final StructMemory memory;

    /** Copies strings to native memory: the arguments in order, the name of the program first. */
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

    /** Returns the number of strings, {@code argc}. */
    public int count()
    {
        return count;
    }

    /** Returns the address of the first pointer, {@code argv}; valid until {@link #close()}. */
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
