package org.fibnuma.core.service.jvmpause;

import com.sun.management.ThreadMXBean;
import org.agrona.concurrent.Agent;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class JvmPauseMeterTest
{
    private static final long START = Long.MAX_VALUE - 1000;
    private static final long GAP = JvmPauseMeter.RECORDED_NS;

    private long nowNs = START;

    @Test
    void shouldRecordGapsFromTheirLengthOnAndAcrossTheClocksOverflow()
    {
        final JvmPauseMeter meter = started(0);
        meter.alive(nowNs += GAP - 1, 1);
        meter.alive(nowNs += GAP, 1);
        meter.alive(nowNs += 1, 0);
        meter.alive(nowNs += 7 * GAP, 0);

        assertEquals(List.of(GAP, 7 * GAP), lengths(meter));
        assertEquals(List.of(), lengths(meter));
    }

    @Test
    void shouldNotCountTheSleepOfAThreadWithoutWork()
    {
        final long idle = 3 * GAP;
        final JvmPauseMeter meter = started(idle);
        meter.alive(nowNs += 1, 0);
        meter.alive(nowNs += idle + GAP - 1, 0);
        meter.alive(nowNs += idle + GAP, 1);
        meter.alive(nowNs += idle, 1);

        assertEquals(List.of(GAP, idle), lengths(meter));
    }

    @Test
    void shouldCountWhatItHasNoRoomFor()
    {
        final JvmPauseMeter meter = started(0);
        for (int i = 0; i < JvmPauseMeter.CAPACITY + 5; i++)
        {
            meter.alive(nowNs += GAP + i, 1);
        }
        assertEquals(5, meter.lost());
        assertEquals(JvmPauseMeter.CAPACITY, lengths(meter).size());

        meter.alive(nowNs += GAP, 1);
        assertEquals(List.of(GAP), lengths(meter));
    }

    @Test
    void shouldReadTheClockInIdleCyclesAndBetweenSoManyFrames() throws Exception
    {
        final int[] work = { 0 };
        final int[] readings = { 0 };
        final MeteredAgent agent = new MeteredAgent(
            agent(work), () -> ++readings[0], new JvmPauseMeter(0), () -> { });
        agent.onStart();
        assertEquals(1, readings[0]);
        agent.doWork();
        assertEquals(2, readings[0]);
        work[0] = 64;
        for (int i = 0; i < 2 * MeteredAgent.WORK_BETWEEN_READINGS / 64; i++)
        {
            assertEquals(64, agent.doWork());
        }
        assertEquals(4, readings[0]);
    }

    @Test
    void shouldAllocateNothing() throws Exception
    {
        final int[] work = { 300 };
        final JvmPauseMeter meter = started(0);
        final MeteredAgent agent = new MeteredAgent(agent(work), () -> nowNs += 2 * GAP, meter, () -> { });
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        threads.getCurrentThreadAllocatedBytes();
        final long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 100_000; i++)
        {
            agent.doWork();
        }
        assertEquals(0, threads.getCurrentThreadAllocatedBytes() - before);
        assertTrue(meter.lost() > 0);
    }

    private static Agent agent(final int[] work)
    {
        return new Agent()
        {
            @Override
            public int doWork()
            {
                return work[0];
            }

            @Override
            public String roleName()
            {
                return "agent";
            }
        };
    }

    private JvmPauseMeter started(final long idleNs)
    {
        final JvmPauseMeter meter = new JvmPauseMeter(idleNs);
        meter.start(nowNs);
        return meter;
    }

    private static List<Long> lengths(final JvmPauseMeter meter)
    {
        final List<Long> lengths = new ArrayList<>();
        meter.drain(meter.written(), (start, end) -> lengths.add(end - start));
        return lengths;
    }
}
