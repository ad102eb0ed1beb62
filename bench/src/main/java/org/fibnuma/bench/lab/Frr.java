package org.fibnuma.bench.lab;

import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Daemons of FRR on a host, with their sockets in a directory of the caller's. For one thread. */
public final class Frr implements AutoCloseable
{
    /** Why {@link #isInstalled()} may be false. */
    public static final String MISSING = "needs FRR: apt-get install frr";

    private static final Path DAEMONS = Path.of("/usr/lib/frr");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String BFDD = "bfdd";
    /** The daemons of a router with BGP and BFD, in the order of their start. */
    private static final List<String> BGP_AND_BFD = List.of("zebra", BFDD, "bgpd");
    /** Of bfdd: several machines share the cores of one here, with builds beside them. */
    private static final List<String> REAL_TIME = List.of("chrt", "--rr", "10");

    private final Host host;
    private final Path directory;
    private final Map<String, ChildProcess> daemons = new LinkedHashMap<>();

    /**
     * Prepares a directory for the daemons; starts none.
     *
     * @param host      host that they run in.
     * @param directory empty, in directories that every user may enter; the user frr becomes its owner.
     * @throws UserException if FRR is not installed.
     * @throws IOException   if the directory cannot be written.
     */
    public Frr(final Host host, final Path directory) throws IOException
    {
        if (!isInstalled())
        {
            throw new UserException(MISSING);
        }
        this.host = host;
        this.directory = directory;
        Files.createFile(directory.resolve("empty.conf"));
        host.run("chown", "-R", "frr:frr", directory.toString());
    }

    /** Returns whether the daemons are where Debian's package has them. */
    public static boolean isInstalled()
    {
        return Files.isExecutable(DAEMONS.resolve("zebra"));
    }

    /** Starts a daemon without a configuration and waits for its socket. */
    public void start(final String name, final String... options)
    {
        start(name, directory.resolve("empty.conf"), options);
    }

    /** Starts a daemon with lines of configuration and waits for its socket. */
    public void startConfigured(final String name, final List<String> lines, final String... options)
        throws IOException
    {
        start(name, Files.write(directory.resolve(name + ".conf"), lines), options);
    }

    /** Starts zebra, bfdd and bgpd and has vtysh read a frr.conf into them, as the service of Debian does. */
    public void startAll(final Path frrConf) throws IOException
    {
        for (final String name : BGP_AND_BFD)
        {
            start(name, BFDD.equals(name) ? new String[] {"--bfdctl", directory.resolve("bfdd.sock").toString()} :
                new String[0]);
        }
        Files.writeString(directory.resolve("frr.conf"), Files.readString(frrConf));
        host.run("vtysh", "--vty_socket", directory.toString(), "--config_dir", directory.toString(), "-b");
    }

    private void start(final String name, final Path config, final String... options)
    {
        final List<String> command = new ArrayList<>();
        if (BFDD.equals(name))
        {
            command.addAll(REAL_TIME);
        }
        command.addAll(List.of(
            DAEMONS.resolve(name).toString(),
            "-f", config.toString(),
            "-i", directory.resolve(name + ".pid").toString(),
            "-z", directory.resolve("zserv").toString(),
            "--vty_socket", directory.toString(), "-A", "127.0.0.1", "-P", "0"));
        command.addAll(List.of(options));
        daemons.put(name, host.start(command.toArray(new String[0])));
        await(() -> Files.exists(socketOf(name)), name + "'s socket");
    }

    private Path socketOf(final String name)
    {
        return directory.resolve("zebra".equals(name) ? "zserv" : name + ".vty");
    }

    /** Kills a daemon (SIGKILL), waits for its end and removes its socket, so that it can be started again. */
    public void kill(final String name) throws IOException
    {
        final ChildProcess daemon = daemons.remove(name);
        daemon.kill();
        daemon.awaitExit(PATIENCE);
        daemon.close();
        Files.delete(socketOf(name));
    }

    /** Kills all daemons (SIGKILL) at once, waits for their ends and removes their sockets. */
    public void killAll() throws IOException
    {
        daemons.values().forEach(ChildProcess::kill);
        for (final String name : List.copyOf(daemons.keySet()))
        {
            kill(name);
        }
    }

    /** Enters lines of configuration, the first at its top level. */
    public void configure(final String... lines)
    {
        final List<String> command = new ArrayList<>(List.of("configure terminal"));
        command.addAll(List.of(lines));
        run(command);
    }

    /** Returns what a command of vtysh such as {@code show bfd peers} prints. */
    public String show(final String command)
    {
        return run(List.of(command));
    }

    private String run(final List<String> lines)
    {
        final List<String> command = new ArrayList<>(List.of("vtysh", "--vty_socket", directory.toString()));
        for (final String line : lines)
        {
            command.add("-c");
            command.add(line);
        }
        return host.run(command.toArray(new String[0]));
    }

    /** Returns the process id of a running daemon. */
    public long pid(final String name)
    {
        return daemons.get(name).pid();
    }

    /**
     * Waits until a condition holds, for at most a minute.
     *
     * @param condition polled all the time.
     * @param what      that is waited for, for the message.
     * @throws UserException if it does not come.
     */
    public static void await(final BooleanSupplier condition, final String what)
    {
        final long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() >= deadline)
            {
                throw new UserException(what + " does not come");
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public void close()
    {
        final List<ChildProcess> running = new ArrayList<>(daemons.values());
        for (int i = running.size() - 1; i >= 0; i--)
        {
            running.get(i).close();
        }
    }
}
