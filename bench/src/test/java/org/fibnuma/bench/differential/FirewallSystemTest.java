package org.fibnuma.bench.differential;

import org.fibnuma.bench.lab.NamespaceTest;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Connections through random rulesets that change, with the router and by the kernel alone. */
@NamespaceTest({"nsenter", "nft", "conntrack", "ethtool", "iptables-nft", "iptables-legacy"})
class FirewallSystemTest
{
    private static final int SECONDS = 40;
    /** So that a fast machine tries the same rulesets. */
    private static final int ROUNDS = 3;
    private static final int SHRINK_SECONDS = 120;
    private static final long SEED = 1;

    @Test
    void shouldForwardConnectionsAsTheKernelDoes()
    {
        final FirewallRun run = new FirewallRun(SEED, SHRINK_SECONDS, System.out::println);
        run.run(SECONDS, 0, ROUNDS);
        System.out.println(run.toMap());
        assertEquals(List.of(), run.differences());
        assertTrue((long)run.toMap().get("byFlows") * 2 > (long)run.toMap().get("established"),
            () -> run.toMap().toString());
    }
}
