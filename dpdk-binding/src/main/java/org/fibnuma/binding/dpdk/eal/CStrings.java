package org.fibnuma.binding.dpdk.eal;

import org.fibnuma.binding.libc.StructMemory;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** An {@code argv}: an array of pointers to texts, with a null behind the last. The C side may reorder it. */
final class CStrings implements AutoCloseable
{
    private final int count;
    private final StructMemory memory;

    CStrings(final List<String> strings)
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

    int count()
    {
        return count;
    }

    long address()
    {
        return memory.address();
    }

    @Override
    public void close()
    {
        memory.close();
    }
}
