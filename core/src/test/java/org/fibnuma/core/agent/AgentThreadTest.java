package org.fibnuma.core.agent;

import org.agrona.concurrent.Agent;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(120)
class AgentThreadTest
{
    @Test
    void shouldRunTheDutyCycleOnAThreadWithItsNameUntilClosed() throws InterruptedException
    {
        final RecordingAgent agent = new RecordingAgent();
        final AgentThread thread = AgentThread.start(
            agent, IdleStrategies.of(IdleStrategies.YIELD), ThreadPinning.ANY_CORE, AgentThreadTest::fail);
        agent.worked.await();
        thread.close();
        assertEquals("recorder", agent.threadName);
        assertTrue(agent.closed);
        final int cycles = agent.cycles;
        Thread.sleep(20);
        assertEquals(cycles, agent.cycles);
    }

    @Test
    void shouldReportAnExceptionAndGoOn() throws InterruptedException
    {
        final AtomicReference<Throwable> reported = new AtomicReference<>();
        final RecordingAgent agent = new RecordingAgent();
        agent.failure = new IllegalStateException("once");
        final AgentThread thread = AgentThread.start(
            agent, IdleStrategies.of(IdleStrategies.BACKOFF), ThreadPinning.ANY_CORE, reported::set);
        agent.worked.await();
        thread.close();
        assertEquals("once", reported.get().getMessage());
    }

    @Test
    void shouldRunWithACoreThatCannotBePinned() throws InterruptedException
    {
        final RecordingAgent agent = new RecordingAgent();
        final AgentThread thread = AgentThread.start(
            agent, IdleStrategies.of(IdleStrategies.YIELD), 0, AgentThreadTest::fail);
        agent.worked.await();
        thread.close();
        assertTrue(agent.closed);
    }

    @Test
    void shouldMakeTheStrategyOfAName()
    {
        assertInstanceOf(BusySpinIdleStrategy.class, IdleStrategies.of("busy"));
        assertInstanceOf(YieldingIdleStrategy.class, IdleStrategies.of("yield"));
        assertInstanceOf(BackoffIdleStrategy.class, IdleStrategies.of("backoff"));
        assertNotSame(IdleStrategies.of("backoff"), IdleStrategies.of("backoff"));
        assertEquals(
            "unknown idle strategy \"spin\"; one of busy, yield, backoff",
            assertThrows(IllegalArgumentException.class, () -> IdleStrategies.of("spin")).getMessage());
    }

    private static void fail(final Throwable failure)
    {
        throw new AssertionError(failure);
    }

    private static final class RecordingAgent implements Agent
    {
        private final CountDownLatch worked = new CountDownLatch(1);
        private volatile int cycles;
        private volatile String threadName;
        private volatile boolean closed;
        private volatile RuntimeException failure;

        @Override
        public int doWork()
        {
            threadName = Thread.currentThread().getName();
            cycles++;
            if (failure != null)
            {
                final RuntimeException once = failure;
                failure = null;
                throw once;
            }
            worked.countDown();
            return 0;
        }

        @Override
        public void onClose()
        {
            closed = true;
        }

        @Override
        public String roleName()
        {
            return "recorder";
        }
    }
}
