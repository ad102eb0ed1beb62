package org.fibnuma.bench.pfc;

/**
 * A sink with a slower link behind it: what it takes of the lossless priority waits in a buffer that empties at that
 * link's rate. It stops the router above one mark and lets it go on below another, as a switch does.
 */
final class SlowSink implements LosslessLab.Pattern
{
    private static final int LONGEST = 65_535;
    private static final double HIGH_BYTES = 60_000;
    private static final double LOW_BYTES = 20_000;

    private final PausingSink sink;
    private final double bytesPerNano;
    private double level;
    private long seen;
    private long lastNs;
    private boolean isStopped;

    SlowSink(final PausingSink sink, final double bitsPerSecond, final long nowNs)
    {
        this.sink = sink;
        this.bytesPerNano = bitsPerSecond / Byte.SIZE / 1e9;
        this.seen = sink.received(LosslessLab.LOSSLESS);
        this.lastNs = nowNs;
    }

    @Override
    public void onTime(final long nowNs)
    {
        final long received = sink.received(LosslessLab.LOSSLESS);
        level = Math.max(0, level + (received - seen) * LosslessLab.FRAME_LENGTH - (nowNs - lastNs) * bytesPerNano);
        seen = received;
        lastNs = nowNs;
        if (!isStopped && level > HIGH_BYTES)
        {
            isStopped = true;
            sink.pause(LosslessLab.LOSSLESS, LONGEST);
        }
        else if (isStopped && level < LOW_BYTES)
        {
            isStopped = false;
            sink.pause(LosslessLab.LOSSLESS, 0);
        }
    }
}
