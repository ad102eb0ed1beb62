package org.fibnuma.bench.session;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.util.concurrent.TimeUnit;

/**
 * Nanoseconds that a session takes for a write of 4 bytes, without a port and without headers before the payload:
 * sending (write, flush, poll), receiving (onDatagram), and both for a ping-pong. {@code fibnuma bench jmh
 * SessionBenchmark} runs it.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class SessionBenchmark
{
    private static final int BATCH = LinkedSessions.MAX_FRAMES / 2;

    /** Creates the benchmark, for JMH. */
    public SessionBenchmark()
    {
    }

    /** Sessions without datagrams in transit. */
    @State(Scope.Thread)
    public static class Quiet
    {
        private final LinkedSessions sessions = new LinkedSessions();

        /** Creates the state, for JMH. */
        public Quiet()
        {
        }

        /** Receives and acknowledges everything that was sent. */
        @TearDown(Level.Invocation)
        public void drain()
        {
            sessions.receiveAll(sessions.b());
            sessions.exchange();
        }
    }

    /** Sessions with a batch of datagrams in transit. */
    @State(Scope.Thread)
    public static class Laden
    {
        private final LinkedSessions sessions = new LinkedSessions();

        /** Creates the state, for JMH. */
        public Laden()
        {
        }

        /** Sends a batch. */
        @Setup(Level.Invocation)
        public void send()
        {
            for (int i = 0; i < BATCH; i++)
            {
                sessions.send(sessions.a(), i);
            }
        }

        /** Acknowledges what was sent. */
        @TearDown(Level.Invocation)
        public void drain()
        {
            sessions.clear();
            sessions.exchange();
        }
    }

    /** Sessions in a ping-pong. */
    @State(Scope.Thread)
    public static class Ball
    {
        private final LinkedSessions sessions = new LinkedSessions();
        private int value;

        /** Creates the state, for JMH. */
        public Ball()
        {
        }
    }

    /**
     * Measures write, flush and poll.
     *
     * @param state of the sessions.
     * @return datagrams sent.
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int send(final Quiet state)
    {
        for (int i = 0; i < BATCH; i++)
        {
            state.sessions.send(state.sessions.a(), i);
        }
        return state.sessions.sent();
    }

    /**
     * Measures the receipt of a datagram with one write.
     *
     * @param state of the sessions.
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void receive(final Laden state)
    {
        for (int i = 0; i < BATCH; i++)
        {
            state.sessions.receive(state.sessions.b(), i);
        }
    }

    /**
     * Measures a round trip: two writes sent and received.
     *
     * @param state of the sessions.
     * @return whether both writes were accepted.
     */
    @Benchmark
    public boolean pingPong(final Ball state)
    {
        final LinkedSessions sessions = state.sessions;
        final boolean isThere = sessions.send(sessions.a(), state.value);
        sessions.receiveAll(sessions.b());
        final boolean isBack = sessions.send(sessions.b(), state.value++);
        sessions.receiveAll(sessions.a());
        return isThere && isBack;
    }
}
