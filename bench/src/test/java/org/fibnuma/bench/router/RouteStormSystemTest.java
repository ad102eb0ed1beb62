package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.KernelRoutes;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTableGenerator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

import java.util.stream.StreamSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A running router whose kernel gets 300,000 routes, flaps some thousands, is compared, is read out and loses all. What
 * {@code show stages} has then is published: how long the workers paused, and why. No time is asserted.
 */
@NamespaceTest
class RouteStormSystemTest
{
    private static final int ROUTES = 300_000;
    private static final int FLAPPING = 5_000;
    private static final int FLAPS = 4;
    private static final int PAGE = 2000;
    private static final String FIRST_GATEWAY = "10.0.1.2";
    private static final String OTHER_GATEWAY = "10.0.1.3";

    private static final RouteList LIST = new RouteTableGenerator().generate(ROUTES);

    @AutoClose
    private final RouterLifeLab lab = RouterLifeLab.open();

    @Test
    void shouldTellWhyWorkersPaused(final TestReporter reporter)
    {
        lab.startConfigured(lab.config(), RouterProcess.BOTH_COMPILERS.toArray(String[]::new));
        final int before = prefixes();
        put(LIST.size(), FIRST_GATEWAY);
        for (int flap = 1; flap <= FLAPS; flap++)
        {
            final String gateway = flap % 2 == 0 ? FIRST_GATEWAY : OTHER_GATEWAY;
            put(FLAPPING, gateway);
            }
        lab.assertVerified();
        assertEquals(before + LIST.size(), readOut());
        lab.router().run("ip", "route", "flush", "proto", "static");
        lab.await("no more routes than before", () -> prefixes() == before);

        final JsonNode stages = lab.ask("stages");
        reporter.publishEntry("show stages --json", stages.toString());
        final JsonNode worker = stages.get("workers").get(0);
        assertTrue(stages.get("safepoints").isNumber(), "the JVM of the tests tells of its safepoints");
        assertTrue(stages.get("controlRoutesTouched").asLong() >= ROUTES);
        assertEquals(worker.get("longestPauseUs").asLong() == 0, worker.get("pauseReason").isNull(), worker::toString);
        assertTrue(worker.get("jvmPausesAbove2Ms").asLong() <= worker.get("pauses").asLong(), worker::toString);
        assertFalse(
            worker.get("longestJvmPauseUs").asLong() > worker.get("longestPauseUs").asLong(), worker::toString);
    }

    private void put(final int count, final String gateway)
    {
        KernelRoutes.put(lab.router(), LIST, count, i -> Ipv4Address.parse(gateway));
        lab.await("the last route by " + gateway, () -> isVia(count - 1, gateway));
    }

    private int readOut()
    {
        JsonNode answer = lab.ask(ControlProtocol.request("routes").put("limit", PAGE));
        int count = answer.get("routes").size();
        while (answer.has("next"))
        {
            answer = lab.ask(
                ControlProtocol.request("routes").put("limit", PAGE).put("after", answer.get("next").asText()));
            count += answer.get("routes").size();
        }
        return count;
    }

    private int prefixes()
    {
        return lab.ask(ControlProtocol.request("routes").put("limit", 0)).get("prefixes").asInt();
    }

    /** An address of a route may lie in a longer one, so that the route itself is asked for. */
    private boolean isVia(final int route, final String gateway)
    {
        final IpPrefix prefix = IpPrefix.of(LIST.prefix(route), LIST.length(route));
        final IpPrefix before = IpPrefix.of(LIST.prefix(route) - 1, Integer.SIZE);
        final JsonNode answer = lab.ask(ControlProtocol.request("routes")
            .put("after", before.toString()).put("limit", Integer.SIZE)).get("routes");
        return StreamSupport.stream(answer.spliterator(), false).anyMatch(row ->
            prefix.toString().equals(row.get("prefix").asText()) && gateway.equals(row.get("via").asText()));
    }
}
