package org.fibnuma.ipnuma.wire;

import org.fibnuma.core.memory.FrameMemory;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Records each call in one line. */
final class RecordingSink implements TlpSink
{
    final List<String> lines = new ArrayList<>();

    @Override
    public void onWrite(final long remoteAddress, final long dataAddress, final int length)
    {
        lines.add(String.format("write %x %s", remoteAddress, hex(dataAddress, length)));
    }

    @Override
    public void onRead(final long remoteAddress, final int length, final int requester, final int tag)
    {
        lines.add(String.format("read %x %d for %x tag %x", remoteAddress, length, requester, tag));
    }

    @Override
    public void onAtomic(
        final int type,
        final long remoteAddress,
        final long operand,
        final long compare,
        final int width,
        final int requester,
        final int tag)
    {
        lines.add(String.format("atomic %x %x %x %x %d for %x tag %x",
            type, remoteAddress, operand, compare, width, requester, tag));
    }

    @Override
    public void onCompletion(
        final int tag, final int status, final int remaining, final long dataAddress, final int length)
    {
        lines.add(String.format("completion tag %x status %d %d %s", tag, status, remaining, hex(dataAddress, length)));
    }

    @Override
    public void onUnsupported(final int requester, final int tag)
    {
        lines.add(String.format("unsupported for %x tag %x", requester, tag));
    }

    static String hex(final long address, final int length)
    {
        final byte[] bytes = new byte[length];
        FrameMemory.getBytes(address, bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
