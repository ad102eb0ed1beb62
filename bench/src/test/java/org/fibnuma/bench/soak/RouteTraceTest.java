package org.fibnuma.bench.soak;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.IpPrefix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class RouteTraceTest
{
    private static final String ANNOUNCED = "BGP4MP|0|A|192.0.2.1|64500|%s|64500|IGP|%s|0|0||NAG||%n";
    private static final String WITHDRAWN = "BGP4MP|0|W|192.0.2.1|64500|%s%n";

    @TempDir
    private Path directory;

    @Test
    void shouldGenerateTheSameChangesFromTheSameSeed()
    {
        assertEquals(RouteTrace.generate(7), RouteTrace.generate(7));
        assertNotEquals(RouteTrace.generate(7), RouteTrace.generate(8));
        assertEquals(128, RouteTrace.generate(7).mostChanged(false, 128).size());
        assertEquals(128, RouteTrace.generate(7).mostChanged(true, 128).size());
    }

    @Test
    void shouldReadAnnouncementsAndWithdrawalsWithoutTheNetworksOfTheLab() throws IOException
    {
        final RouteTrace trace = RouteTrace.read(write(
            ANNOUNCED.formatted("198.51.0.0/16", "192.0.2.1") + ANNOUNCED.formatted("10.1.0.0/16", "192.0.2.1") +
            ANNOUNCED.formatted("0.0.0.0/0", "192.0.2.1") + ANNOUNCED.formatted("fd00:1::/32", "2001:db8::1") +
            WITHDRAWN.formatted("198.51.0.0/16")));

        assertEquals(2, trace.changes().size());
        assertEquals(IpPrefix.parse("198.51.0.0/16"), trace.changes().get(0).prefix());
        assertNotEquals(NextHops.NONE, trace.changes().get(0).nextHop());
        assertEquals(NextHops.NONE, trace.changes().get(1).nextHop());
    }

    @Test
    void shouldSendOnlyToPrefixesWithoutShorterAndLongerOnes() throws IOException
    {
        final RouteTrace trace = RouteTrace.read(write(
            ANNOUNCED.formatted("198.51.0.0/16", "192.0.2.1") + ANNOUNCED.formatted("198.51.7.0/24", "192.0.2.1") +
            ANNOUNCED.formatted("203.0.113.0/24", "192.0.2.1") + ANNOUNCED.formatted("203.0.114.0/24", "192.0.2.1") +
            WITHDRAWN.formatted("203.0.114.0/24")));

        assertEquals(List.of(IpPrefix.parse("203.0.114.0/24"), IpPrefix.parse("203.0.113.0/24")),
            trace.mostChanged(false, 10));
        assertEquals(List.of(IpPrefix.parse("203.0.114.0/24")), trace.mostChanged(false, 1));
        assertEquals(List.of(), trace.mostChanged(true, 10));
    }

    @Test
    void shouldRefuseATraceWithoutChanges() throws IOException
    {
        final Path file = write("# nothing\n");

        assertEquals(file + ": no route changes",
            assertThrows(UserException.class, () -> RouteTrace.read(file)).getMessage());
    }

    private Path write(final String text) throws IOException
    {
        return Files.writeString(directory.resolve("updates"), text);
    }
}
