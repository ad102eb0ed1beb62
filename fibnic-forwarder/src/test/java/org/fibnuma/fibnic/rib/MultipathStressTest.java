package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelMultipath;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import static org.fibnuma.fibnic.rib.TestKernel.LEFT;
import static org.fibnuma.fibnic.rib.TestKernel.RIGHT;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two readers select members as workers do, while groups, members and indexes come and go. */
@Tag("stress")
class MultipathStressTest
{
    private static final int CHANGES = 30_000;
    private static final String PREFIX = "192.0.2.0/24";
    private static final int INSIDE = Ipv4Address.parse("192.0.2.7");
    private static final String[] HOPS = {
        "10.0.0.2@" + LEFT + "*1", "10.0.1.2@" + RIGHT + "*3", "10.0.0.3@" + LEFT + "*2", "10.0.1.3@" + RIGHT + "*1"};
    private static final Set<String> MEMBERS = Set.of("10.0.0.2", "10.0.1.2", "10.0.0.3", "10.0.1.3");
    private static final KernelMultipath.Resilience RESILIENCE = new KernelMultipath.Resilience(10, 32, 0, 0);

    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicReference<String> problem = new AtomicReference<>();
    private final AtomicLong selected = new AtomicLong();

    @Test
    void shouldSelectOnlyMembersOfTheRoute() throws InterruptedException
    {
        try (TestKernel kernel = TestKernel.started())
        {
            kernel.multipath(PREFIX, null, HOPS);
            final List<Thread> readers = new ArrayList<>();
            for (int i = 0; i < 2; i++)
            {
                final ReaderEpochs.Reader reader = kernel.epochs().register();
                readers.add(new Thread(() -> read(kernel, reader)));
            }
            readers.forEach(Thread::start);
            final Random random = new Random(1);
            for (int change = 0; (change < CHANGES || selected.get() < CHANGES) && problem.get() == null; change++)
            {
                change(kernel, random, change);
                kernel.epochs().reclaim();
            }
            ended.set(true);
            for (final Thread reader : readers)
            {
                reader.join();
            }
        }
        assertNull(problem.get());
        assertTrue(selected.get() >= CHANGES);
    }

    /** Other next hops take the indexes that groups and members leave. */
    private static void change(final TestKernel kernel, final Random random, final int change)
    {
        final String gateway = (random.nextBoolean() ? "10.0.0." : "10.0.1.") + (2 + random.nextInt(2));
        final int link = gateway.startsWith("10.0.0.") ? LEFT : RIGHT;
        switch (random.nextInt(6))
        {
            case 0 -> kernel.multipath(PREFIX, null, HOPS[random.nextInt(2)], HOPS[2 + random.nextInt(2)]);
            case 1 -> kernel.multipath(PREFIX, RESILIENCE, HOPS[random.nextInt(2)], HOPS[2], HOPS[3]);
            case 2 -> kernel.neighborFailed(link, gateway);
            case 3 -> kernel.neighbor(link, gateway, "02:00:00:00:07:0" + random.nextInt(9));
            case 4 -> kernel.tables().balanceGroups(change);
            default -> kernel.route("via", "198.51.100.0/24", "10.0.0." + (100 + change % 100), LEFT);
        }
    }

    private void read(final TestKernel kernel, final ReaderEpochs.Reader reader)
    {
        int hash = 1;
        try
        {
            while (!ended.get() && problem.get() == null)
            {
                hash = hash * 0x0001_9660 + 0x3C6E_F35F;
                final Adjacency group = kernel.adjacencies().get(kernel.fib().lookup(INSIDE));
                final boolean hasGroups = kernel.adjacencies().hasGroups();
                if (group.kind() != AdjacencyKind.GROUP || !hasGroups)
                {
                    problem.set("the route is " + group.kind() + ", and there are groups: " + hasGroups);
                    return;
                }
                final int bucket = group.group().bucket(hash);
                final Adjacency member = kernel.adjacencies().get(group.group().adjacency(bucket));
                if (!MEMBERS.contains(member.nextHop().toString()))
                {
                    problem.set("selected " + member.kind() + " " + member.nextHop());
                }
                if (group.group().recordsUse())
                {
                    group.group().onUse(bucket, 0);
                }
                selected.incrementAndGet();
                reader.quiesce();
            }
        }
        finally
        {
            reader.close();
        }
    }
}
