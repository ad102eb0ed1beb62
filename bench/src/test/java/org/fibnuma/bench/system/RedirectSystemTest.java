package org.fibnuma.bench.system;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import static org.fibnuma.bench.system.Frames.UDP;
import static org.fibnuma.bench.system.Frames.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** RFC 1812 section 5.2.7.2: a host that has a better router on its own network is told so. */
class RedirectSystemTest extends WireTest
{
    private static final String BEYOND_BETTER = "198.18.5.";
    private static final String BETTER = "10.0.0.7";
    private static final String IS_REDIRECT = "ICMP in p and p[ICMP].type == 5";
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final int SILENT = 4;
    private static final int LONG = 300;
    private static final long PAUSE_NS = Duration.ofMillis(100).toNanos();
    private static final int ATTEMPTS = 40;

    @BeforeEach
    void before()
    {
        lab.router().run(
            "ip", "neigh", "replace", BETTER, "lladdr", lab.a().macAddress(), "dev", "r0", "nud", "permanent");
        lab.route("replace", BEYOND_BETTER + "0/24", "via", BETTER);
        lab.awaitNextHop(BEYOND_BETTER + "1", BETTER);
    }

    @AfterEach
    void after()
    {
        set("all", 0);
        set("r0", 0);
        lab.route("del", BEYOND_BETTER + "0/24");
        lab.router().run("ip", "neigh", "del", BETTER, "dev", "r0");
    }

    private void set(final String name, final int value)
    {
        lab.router().sysctl("ipv4.conf." + name + ".send_redirects", Integer.toString(value));
    }

    private static String frame(final String source, final int host)
    {
        return ip(source, BEYOND_BETTER + host, "tos=0x10") + UDP;
    }

    /** The setting is read once a second, and a pair of hosts is told once a second: frames until one is answered. */
    @ParameterizedTest
    @ValueSource(strings = {"all", "r0"})
    void shouldRedirectWhereTheKernelsSettingsSaySo(final String setting)
    {
        set(setting, 1);
        lab.a().clear();
        List<ReceivedFrame> redirects = List.of();
        for (int i = 0; i < ATTEMPTS && redirects.isEmpty(); i++)
        {
            lab.a().send(frame("10.0.0.2", 1 + i));
            redirects = lab.a().receive(1, PATIENCE, IS_REDIRECT);
        }
        assertEquals(1, redirects.size(), "redirects at a");
        final ReceivedFrame redirect = redirects.get(0);
        assertEquals(1, redirect.icmp().code(), "for a host");
        assertEquals("10.0.0.1", redirect.ip().source());
        assertEquals("10.0.0.2", redirect.ip().destination());
        assertEquals(0xD0, redirect.ip().tos(), "precedence 6, TOS of the packet");
        assertEquals(0x0A00, redirect.icmp().unused(), "the better router");
        assertEquals(7, redirect.icmp().mtu(), "the better router");
        assertTrue(redirect.ip().checksumRight() && redirect.icmp().checksumRight(), redirect::toString);
        assertTrue(redirect.icmp().quote().contains("0a000002c61205"), redirect::toString);
    }

    @Test
    void shouldForwardWhatItRedirects()
    {
        set("r0", 1);
        for (int i = 0; i < 3; i++)
        {
            lab.a().clear();
            lab.a().send(frame("10.0.0.2", 50 + i));
            assertEquals(1, lab.a().receive(1, Duration.ofSeconds(5), "UDP in p and p.haslayer(ICMP) == 0").size());
        }
    }

    @Test
    void shouldNotRedirectWhereNeitherSettingIsOn()
    {
        set("all", 0);
        set("r0", 0);
        awaitSilence();
        lab.a().clear();
        lab.a().send(frame("10.0.0.2", 99), frame("10.0.0.2", 98));
        assertEquals(List.of(), lab.a().receive(1, PATIENCE, IS_REDIRECT));
    }

    /** The setting may be known to be off only a second later; one frame may be unanswered for its own reasons. */
    private void awaitSilence()
    {
        int silent = 0;
        // A hundred hosts in turn, so slowly that none is left out for having been told less than a second before.
        for (int i = 0; i < LONG && silent < SILENT; i++)
        {
            lab.a().clear();
            lab.a().send(frame("10.0.0.2", 150 + i % 100));
            silent = lab.a().receive(1, PATIENCE, IS_REDIRECT).isEmpty() ? silent + 1 : 0;
            LockSupport.parkNanos(PAUSE_NS);
        }
        assertEquals(SILENT, silent, "still redirecting");
    }
}
