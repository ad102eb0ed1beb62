package org.fibnuma.bench.soak;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.fibnic.command.FibnumaCommand;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;

/** Reloads, captures, traces, changes rules, and removes and adds the guest's port, in turn. */
final class Operations extends RepeatedLoad
{
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final SoakRig rig;
    private final Path directory;
    private final long seed;
    private final List<Operation> operations =
        List.of(this::reload, this::capture, this::trace, this::changeRules, this::removePort, this::addPort);
    private int steps;
    private volatile int reloads;
    private volatile int captures;
    private volatile int ruleChanges;
    private volatile int portChanges;

    /** Creates the load, which writes captures into a directory. */
    Operations(final SoakRig rig, final Lock turn, final Path directory, final long seed)
    {
        super("operations", turn, INTERVAL);
        this.rig = rig;
        this.directory = directory;
        this.seed = seed;
    }

    /** Returns whether each operation has been done. */
    boolean isComplete()
    {
        return portChanges >= 2;
    }

    int reloads()
    {
        return reloads;
    }

    /** Returns the number of captures and traces. */
    int captures()
    {
        return captures;
    }

    int ruleChanges()
    {
        return ruleChanges;
    }

    int portChanges()
    {
        return portChanges;
    }

    @Override
    void step() throws IOException
    {
        operations.get(steps++ % operations.size()).run();
    }

    private void reload() throws IOException
    {
        rig.reload(steps);
        reloads++;
    }

    private void capture() throws IOException
    {
        execute("capture", "--seconds", "1", "--drops", "-w", directory.resolve("soak.pcapng").toString());
        captures++;
    }

    private void trace() throws IOException
    {
        execute("trace", "--count", "20");
        captures++;
    }

    /** Also lets the router learn connections again whose packets have come in by several interfaces. */
    private void changeRules()
    {
        rig.changeRules(ruleChanges);
        ruleChanges++;
    }

    private void execute(final String command, final String... options) throws IOException
    {
        final StringWriter errors = new StringWriter();
        final int status = new CommandLine(new FibnumaCommand())
            .setOut(new PrintWriter(new StringWriter(), true)).setErr(new PrintWriter(errors, true))
            .execute(Stream.concat(Stream.of(command, "--name", rig.name()), Stream.of(options))
                .toArray(String[]::new));
        if (status != 0)
        {
            throw new IOException(command + " ended with status " + status + ": " + errors);
        }
    }

    /** The kernel forwards to the guest then. */
    private void removePort() throws IOException
    {
        changePort("remove");
    }

    private void addPort() throws IOException
    {
        changePort("add");
    }

    private void changePort(final String what) throws IOException
    {
        final JsonNode answer =
            rig.ask(ControlProtocol.request("port-" + what).put("port", SoakRig.GUEST_PORT));
        if (!answer.path("change").asText().startsWith(what))
        {
            throw new IOException("port " + what + ": " + answer);
        }
        portChanges++;
        ShortConnections.exchange(rig, SoakRig.guestAddress(false), seed + steps);
        ShortConnections.exchange(rig, SoakRig.guestAddress(true), seed + steps);
    }

    @FunctionalInterface
    private interface Operation
    {
        void run() throws IOException;
    }
}
