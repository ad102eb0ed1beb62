package org.fibnuma.fibnic.fate;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two workers drop frames of three ports while a third thread takes samples. */
@Tag("stress")
@Timeout(120)
class PortDropsStressTest
{
    private static final int WORKERS = 2;
    private static final int SAMPLES = 20_000;
    private static final List<String> PORTS = List.of("left", "right", "third");

    private final CountersManager manager = new CountersManager(
        new UnsafeBuffer(ByteBuffer.allocateDirect(256 * CountersReader.METADATA_LENGTH)),
        new UnsafeBuffer(ByteBuffer.allocateDirect(256 * CountersReader.COUNTER_LENGTH)));
    private final PortDrops portDrops = new PortDrops(WORKERS);
    private final AtomicBoolean ended = new AtomicBoolean();

    @Test
    void shouldHaveEqualSumsByPortAndInAllInEachSample() throws InterruptedException
    {
        final List<FateCounters> counters = List.of(countersOf(0), countersOf(1));
        final List<Thread> workers = counters.stream().map(each -> new Thread(() -> drop(each))).toList();
        workers.forEach(Thread::start);
        long last = 0;
        try
        {
            for (int sample = 0; sample < SAMPLES || last == 0; sample++)
            {
                final FateReport report = FateReport.of(manager, portDrops);
                for (final DropReason reason : DropReason.values())
                {
                    assertEquals(report.get(reason), byPort(report, reason), reason.label());
                }
                assertTrue(report.dropped() >= last, "drops of all reasons only grow");
                last = report.dropped();
            }
        }
        finally
        {
            ended.set(true);
            for (final Thread worker : workers)
            {
                worker.join();
            }
        }
        assertEquals(FateReport.of(manager).dropped(), FateReport.of(manager, portDrops).dropped());
    }

    private FateCounters countersOf(final int worker)
    {
        return new FateCounters(manager, worker, PORTS, portDrops.ofWorker(worker));
    }

    private void drop(final FateCounters counters)
    {
        for (int cycle = 0; !ended.get(); cycle++)
        {
            for (int frame = 0; frame < 1 + cycle % 5; frame++)
            {
                counters.dropped((cycle + frame) % PORTS.size(), (cycle + frame) % DropReason.count());
            }
            counters.publish();
        }
    }

    private static long byPort(final FateReport report, final DropReason reason)
    {
        long sum = 0;
        for (int port = 0; port < PORTS.size(); port++)
        {
            sum += report.portDrops(port)[reason.id()];
        }
        return sum;
    }
}
