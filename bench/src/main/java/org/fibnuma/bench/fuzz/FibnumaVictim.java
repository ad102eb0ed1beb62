package org.fibnuma.bench.fuzz;

import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.session.DatagramOutput;
import org.fibnuma.ipnuma.session.Session;
import org.fibnuma.ipnuma.session.SessionCounter;
import org.fibnuma.ipnuma.session.SessionSettings;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaKind;

import java.util.SplittableRandom;

/** A session that is attacked; it checks the datagrams that it sends. */
final class FibnumaVictim implements DatagramOutput, AutoCloseable
{
    /** Shortest time between two datagrams that are sent by a timer, in ns. */
    private static final long TIMER_NS = 20_000;

    private final SessionSettings settings = new SessionSettings().epoch(7).random(new SplittableRandom(77));
    private final Session session;
    private final MemoryRegion room = MemoryRegion.ofBytes(2048);
    private final FibnumaHeaderFlyweight header = new FibnumaHeaderFlyweight();
    private final long startNs;
    private FibnumaSource answerTo;
    private long nowNs;
    private long lastResetNs;
    private long lastErrorNs;
    private long received;
    private long controls;
    private String fault;

    FibnumaVictim(final RegionTable regions, final long nowNs)
    {
        session = new Session(0, settings, regions, ChannelListener.NONE);
        startNs = nowNs;
        lastResetNs = nowNs - settings.refusalIntervalNs();
        lastErrorNs = lastResetNs;
    }

    /** Returns null, or what was wrong with the answers, which are passed to {@code answerTo} if that is not null. */
    String receive(
        final long payload,
        final int length,
        final boolean ce,
        final int sourceIpv4,
        final long time,
        final FibnumaSource answerTo)
    {
        this.answerTo = answerTo;
        nowNs = time;
        received++;
        session.onDatagram(payload, length, ce, sourceIpv4, time);
        session.poll(this, time);
        if (fault == null && controls > received + (time - startNs) / TIMER_NS + 1)
        {
            fault = controls + " answers without data to " + received + " datagrams in " + (time - startNs) + " ns";
        }
        return fault;
    }

    long count(final SessionCounter counter)
    {
        return session.counter(counter);
    }

    @Override
    public long claim(final int length)
    {
        return room.address();
    }

    @Override
    public void commit(final int length, final boolean ecnCapable)
    {
        final int kind = header.wrap(room.address()).kind();
        if (FuzzArena.isLeak(room.address(), length))
        {
            fault = "an answer contains bytes that no peer may read";
        }
        if (kind != FibnumaKind.DATA)
        {
            controls++;
            final int longest = FibnumaKind.isHandshake(kind) ?
                FibnumaHeaderFlyweight.HANDSHAKE_LENGTH : FibnumaHeaderFlyweight.MIN_LENGTH;
            if (length > longest)
            {
                fault = "an answer of kind " + kind + " has " + length + " bytes";
            }
        }
        lastResetNs = spaced(kind == FibnumaKind.RESET, lastResetNs, "resets");
        lastErrorNs = spaced(kind == FibnumaKind.ERROR, lastErrorNs, "errors");
        if (answerTo != null)
        {
            answerTo.receive(room.address(), length, nowNs);
        }
    }

    private long spaced(final boolean isOne, final long lastNs, final String name)
    {
        if (isOne && nowNs - lastNs < settings.refusalIntervalNs())
        {
            fault = "two " + name + " in " + (nowNs - lastNs) + " ns";
        }
        return isOne ? nowNs : lastNs;
    }

    @Override
    public void close()
    {
        session.close();
        room.close();
    }
}
