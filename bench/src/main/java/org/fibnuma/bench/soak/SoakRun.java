package org.fibnuma.bench.soak;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.TemporaryDirectory;
import org.fibnuma.bench.lab.Waiting;
import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.IpPrefix;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** One soak: starts all loads, measures the router after a warm-up and at the end, and checks what has happened. */
final class SoakRun implements AutoCloseable
{
    private static final int DESTINATIONS_OF_EACH_FAMILY = 128;
    private static final Duration POLL = Duration.ofMillis(200);
    /** Each state comes within seconds; a busy machine gets minutes. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int WARM_UP_PART = 10;

    private final Consumer<String> progress;
    private final SoakRig rig = SoakRig.open();
    private final List<AutoCloseable> resources = new ArrayList<>();
    private final List<Load> loads = new ArrayList<>();
    /** Loads hold the read lock during a step. It is fair, so that a measurement gets its turn. */
    private final ReadWriteLock turns = new ReentrantReadWriteLock(true);
    private TestFrames frames;
    private RouteChurn churn;
    private LongConnections longConnections;
    private ShortConnections shortConnections;
    private Operations operations;
    private FrameBalance before;

    private SoakRun(final Consumer<String> progress) throws IOException
    {
        this.progress = progress;
    }

    /**
     * Starts the router and makes the loads, which do not run yet.
     *
     * @param trace    route changes.
     * @param seed     of the contents of connections.
     * @param progress gets a line each minute.
     */
    static SoakRun open(final RouteTrace trace, final long seed, final Consumer<String> progress) throws IOException
    {
        return AllOrNothing.open(new SoakRun(progress), run -> run.prepare(trace, seed));
    }

    private void prepare(final RouteTrace trace, final long seed) throws IOException
    {
        final TemporaryDirectory directory = TemporaryDirectory.create("soak");
        resources.add(directory);
        resources.add(EchoServer.start(rig.servers()));
        resources.add(EchoServer.start(rig.guest()));
        final List<IpPrefix> destinations = new ArrayList<>(trace.mostChanged(false, DESTINATIONS_OF_EACH_FAMILY));
        destinations.addAll(trace.mostChanged(true, DESTINATIONS_OF_EACH_FAMILY));
        final NextHops nextHops = new NextHops(destinations.size());
        churn = add(new RouteChurn(rig, turns.readLock(), trace, destinations, nextHops));
        churn.awaitAll();
        frames = add(new TestFrames(rig, destinations.stream().map(IpPrefix::last).toList(), nextHops));
        longConnections = add(new LongConnections(rig, turns.readLock(), seed));
        shortConnections = add(new ShortConnections(rig, turns.readLock(), seed));
        operations = add(new Operations(rig, turns.readLock(), directory.path(), seed));
        add(new Monitoring(rig, turns.readLock()));
        before = FrameBalance.read(rig);
    }

    private <T extends Load> T add(final T load)
    {
        loads.add(load);
        return load;
    }

    /**
     * Loads the router and checks it.
     *
     * @param duration of the load with the warm-up.
     * @throws UserException if the router ends, or does not get to a state within minutes.
     */
    SoakResult run(final Duration duration) throws IOException
    {
        final long startNs = System.nanoTime();
        loads.forEach(Load::start);
        load(startNs, duration.dividedBy(WARM_UP_PART));
        require("a reload, a capture, a trace and a change of a port", operations::isComplete);
        final Usage warm = usage();
        load(startNs, duration);
        final SoakResult result = new SoakResult();
        result.before = warm;
        result.after = usage();
        finish(result);
        return result;
    }

    /** Waits, and prints a line each minute. */
    private void load(final long startNs, final Duration until)
    {
        long minute = TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - startNs);
        while (System.nanoTime() - startNs < until.toNanos())
        {
            Waiting.sleep(POLL);
            requireRouter();
            final long now = TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - startNs);
            if (now != minute)
            {
                minute = now;
                progress.accept(now + " min: " + state());
            }
        }
    }

    private void requireRouter()
    {
        if (!rig.process().isAlive())
        {
            throw new UserException("the router has ended: " + String.join(" | ", rig.process().errors()));
        }
    }

    private String state()
    {
        String usage;
        try
        {
            usage = rig.ask("flows").get("count").asLong() + " flows, " + Usage.state(rig.process());
        }
        catch (final IOException ex)
        {
            usage = ex.getMessage();
        }
        return frames.sent() + " frames sent, " + frames.received() + " received, " + usage + ", " + churn.count() +
            " route changes, " + failures().size() + " failures";
    }

    /** Measures the router while every load but the test frames stands still. */
    private Usage usage() throws IOException
    {
        boolean locked = false;
        try
        {
            locked = turns.writeLock().tryLock(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (!locked)
            {
                throw new UserException("a load does not stand still: " + failures());
            }
            return Usage.of(rig.process());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new UserException("interrupted", ex);
        }
        finally
        {
            if (locked)
            {
                turns.writeLock().unlock();
            }
        }
    }

    private List<String> failures()
    {
        return loads.stream().flatMap(load -> load.failures().stream()).toList();
    }

    /** Ends the loads, the last one first: test frames are sent until nearly the end. */
    private void finish(final SoakResult result) throws IOException
    {
        for (int i = loads.size() - 1; i >= 0; i--)
        {
            loads.get(i).close();
        }
        requireRouter();
        result.failures.addAll(failures());
        loads.clear();
        result.failures.addAll(result.after.grownSince(result.before));
        if (!Waiting.until(() -> ask("drops").get("balanced").asBoolean(), PATIENCE))
        {
            result.failures.add("the router's counters do not balance: " + ask("drops"));
        }
        result.sent = frames.sent();
        result.received = frames.received();
        result.explained = FrameBalance.read(rig).since(before, frames.missed());
        result.wrongNextHop = frames.wrong();
        result.connections = LongConnections.opened() + shortConnections.opened();
        result.connectionsLost = longConnections.lost() + shortConnections.lost();
        result.routeChanges = churn.count();
        result.ruleChanges = operations.ruleChanges();
        result.reloads = operations.reloads();
        result.captures = operations.captures();
        result.portChanges = operations.portChanges();
        result.deliberatelyLost = rig.deliberatelyLost();
        final JsonNode verification = rig.ask("verify");
        result.isVerified = verification.get("equal").asBoolean();
        if (!result.isVerified)
        {
            result.failures.add("verify: router and kernel differ: " + verification);
        }
        rig.router().run("sh", "-c", "conntrack -F 2>&1 | cat");
        if (!Waiting.until(() -> ask("flows").get("count").asLong() == 0, PATIENCE))
        {
            result.failures.add(
                ask("flows").get("count") + " flows remain without a connection in conntrack");
        }
        if (ask("drops").get("held").asLong() != 0)
        {
            result.failures.add("frames are held while no frame is sent: " + ask("drops").get("held"));
        }
        result.addFailures();
    }

    private JsonNode ask(final String request)
    {
        try
        {
            return rig.ask(request);
        }
        catch (final IOException ex)
        {
            throw new UserException("show " + request + ": " + ex.getMessage(), ex);
        }
    }

    private void require(final String what, final BooleanSupplier state)
    {
        if (!Waiting.until(state, PATIENCE))
        {
            throw new UserException("no " + what + " within two minutes: " + failures());
        }
    }

    /** Also has the router end by itself if the calling thread is interrupted: a killed one leaves its socket. */
    @Override
    public void close()
    {
        final boolean interrupted = Thread.interrupted();
        try
        {
            CloseHelper.closeAll(() -> CloseHelper.closeAll(loads), () -> CloseHelper.closeAll(resources), rig);
        }
        finally
        {
            if (interrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }
}
