package org.fibnuma.bench.system;

import org.fibnuma.core.Require;
import org.fibnuma.core.netns.ChildProcess;
import org.fibnuma.core.netns.Host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Daemons of FRR on a host, with their sockets in a directory of the test's. */
final class Frr implements AutoCloseable
{
    private static final Path DAEMONS = Path.of("/usr/lib/frr");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Host host;
    private final Path directory;
    private final List<ChildProcess> daemons = new ArrayList<>();

    Frr(final Host host, final Path directory) throws IOException
    {
        Require.that(Files.isExecutable(DAEMONS.resolve("zebra")), "needs FRR: apt-get install frr");
        this.host = host;
        this.directory = directory;
        Files.createFile(directory.resolve("empty.conf"));
        host.run("chown", "-R", "frr:frr", directory.toString());
    }

    /** Starts a daemon without a configuration and waits for its socket. */
    void start(final String name, final String... options)
    {
        final List<String> command = new ArrayList<>(List.of(
            DAEMONS.resolve(name).toString(),
            "-f", directory.resolve("empty.conf").toString(),
            "-i", directory.resolve(name + ".pid").toString(),
            "-z", directory.resolve("zserv").toString(),
            "--vty_socket", directory.toString(), "-A", "127.0.0.1", "-P", "0"));
        command.addAll(List.of(options));
        daemons.add(host.start(command.toArray(new String[0])));
        final Path socket = directory.resolve("zebra".equals(name) ? "zserv" : name + ".vty");
        await(() -> Files.exists(socket), name + "'s socket");
    }

    /** Enters lines of configuration, the first at its top level. */
    void configure(final String... lines)
    {
        final List<String> command = new ArrayList<>(
            List.of("vtysh", "--vty_socket", directory.toString(), "-c", "configure terminal"));
        for (final String line : lines)
        {
            command.add("-c");
            command.add(line);
        }
        host.run(command.toArray(new String[0]));
    }

    static void await(final BooleanSupplier condition, final String what)
    {
        final long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean())
        {
            assertTrue(System.nanoTime() < deadline, what + " does not come");
            Thread.onSpinWait();
        }
    }

    @Override
    public void close()
    {
        for (int i = daemons.size() - 1; i >= 0; i--)
        {
            daemons.get(i).close();
        }
    }
}
