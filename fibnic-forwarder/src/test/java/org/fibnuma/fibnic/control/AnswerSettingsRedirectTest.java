package org.fibnuma.fibnic.control;

import org.agrona.concurrent.CachedEpochClock;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.rate.IcmpSettings;
import org.fibnuma.fibnic.rib.LinkTable;
import org.fibnuma.fibnic.rib.RoutingTables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** One of both settings is enough, as for {@code IN_DEV_TX_REDIRECTS} of Linux's include/linux/inetdevice.h. */
class AnswerSettingsRedirectTest
{
    @TempDir
    private Path directory;

    private final ReaderEpochs epochs = new ReaderEpochs();
    private final Ipv4Fib fib = new Ipv4Fib(epochs);
    private final Ipv6Fib ipv6Fib = new Ipv6Fib(epochs);
    private final InterfaceTable interfaces = new InterfaceTable(2);
    private final CachedEpochClock clock = new CachedEpochClock();
    private final RoutingTables tables = new RoutingTables(
        List.of(), new LinkTable(new int[]{7, 8}),
        new RoutingTables.Shared(fib, ipv6Fib, new AdjacencyTable(), interfaces, epochs));

    @AfterEach
    void after()
    {
        fib.close();
        ipv6Fib.close();
    }

    private void set(final String name, final int value) throws IOException
    {
        final Path settings = Files.createDirectories(directory.resolve("ipv4/conf").resolve(name));
        Files.writeString(settings.resolve("send_redirects"), value + "\n");
    }

    private AnswerSettings settings()
    {
        return new AnswerSettings(directory, tables, new IcmpSettings(), clock, line -> {});
    }

    private void addLinks()
    {
        tables.onLink(new KernelLink(7, "r0", 1, 1500, true), true);
        tables.onLink(new KernelLink(8, "r1.5", 2, 1500, true), true);
    }

    private void assertSent(final boolean left, final boolean right)
    {
        assertEquals(
            List.of(left, right), List.of(interfaces.get(0).sendsRedirects(), interfaces.get(1).sendsRedirects()));
    }

    @ParameterizedTest
    @CsvSource({"0,0,0,false,false", "0,1,0,true,false", "0,0,1,false,true", "1,0,0,true,true", "1,1,1,true,true"})
    void shouldSendWhereTheInterfaceOrAllIsOn(
        final int all, final int left, final int right, final boolean leftSends, final boolean rightSends)
        throws IOException
    {
        set("all", all);
        set("r0", left);
        set("r1.5", right);
        addLinks();
        settings().read();
        assertSent(leftSends, rightSends);
    }

    @Test
    void shouldFollowAChangeWithinASecond() throws IOException
    {
        set("all", 0);
        set("r0", 0);
        addLinks();
        final AnswerSettings settings = settings();
        settings.poll();
        assertSent(false, false);
        set("r0", 1);
        clock.advance(PolledSettings.INTERVAL_MS - 1);
        settings.poll();
        assertSent(false, false);
        clock.advance(1);
        settings.poll();
        assertSent(true, false);
    }

    @Test
    void shouldSendNothingForAnInterfaceThatIsNotThere() throws IOException
    {
        set("all", 0);
        settings().read();
        assertSent(false, false);
    }
}
