package org.fibnuma.ipnuma.stream;

import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.ClientStatus;
import org.fibnuma.ipnuma.client.EndpointClient;
import org.fibnuma.ipnuma.table.AccessStatus;
import org.fibnuma.ipnuma.table.AtomicOperation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Connects channels. Each attempt reads the peer's entry of the port and claims a hello slot of the program by a
 * compare and swap. It stores the hello there and waits for the answer in the header of the channel. It repeats the
 * hello while the backlog is full. For the agent's thread.
 */
final class Connector
{
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Longest pause while the backlog of the peer is full. */
    private static final long MAX_RETRY_NS = TimeUnit.MILLISECONDS.toNanos(64);
    /** Equals the time for which Linux tries to connect over TCP: net.ipv4.tcp_syn_retries is 6. */
    private static final long MAX_BACKLOG_NS = TimeUnit.SECONDS.toNanos(127);

    private enum Step
    {
        READ_PORT, AWAIT_PORT, CLAIM, AWAIT_CLAIM, HELLO, SUMMARY, AWAIT_ANSWER
    }

    private static final class Attempt
    {
        private final long id;
        private final StreamChannel channel;
        private final long deadlineNs;
        private Step step = Step.READ_PORT;
        private Link link;
        private int hello;
        private int tries;
        private long notBeforeNs;
        /**
         * Pause after the last answer that the backlog is full. The next field has the time of the first one. 0 before.
         */
        private long backlogPauseNs;
        private long backlogSinceNs;

        Attempt(final long id, final StreamChannel channel, final long deadlineNs)
        {
            this.id = id;
            this.channel = channel;
            this.deadlineNs = deadlineNs;
        }
    }

    private final StreamAgent agent;
    private final EndpointClient client;
    private final int portRegionId;
    private final long portRegionKey;
    private final PortEntry own;
    private final Long2ObjectHashMap<Attempt> attempts = new Long2ObjectHashMap<>();
    private final Queue<Attempt> steps = new ArrayDeque<>();
    private final UnsafeBuffer record = new UnsafeBuffer(new byte[StreamLayout.HELLO_LENGTH]);
    private final UnsafeBuffer body =
        new UnsafeBuffer(record, HelloRecord.BODY_OFFSET, HelloRecord.BODY_LENGTH);
    private long lastId;

    Connector(final StreamAgent agent, final EndpointClient client, final int portRegionId, final long portRegionKey,
        final PortEntry own)
    {
        this.agent = agent;
        this.client = client;
        this.portRegionId = portRegionId;
        this.portRegionKey = portRegionKey;
        this.own = own;
    }

    void connect(final StreamChannel channel, final long deadlineNs)
    {
        final Attempt attempt = new Attempt(++lastId, channel, deadlineNs);
        channel.attempt(attempt.id);
        attempts.put(attempt.id, attempt);
        steps.add(attempt);
    }

    /** Executes the next step of each attempt; returns the number of completed steps. */
    int poll(final long nowNs)
    {
        int work = 0;
        for (int i = steps.size(); i > 0; i--)
        {
            final Attempt attempt = steps.remove();
            if (attempts.containsKey(attempt.id))
            {
                final Step before = attempt.step;
                step(attempt, nowNs);
                work += attempt.step == before ? 0 : 1;
            }
        }
        return work;
    }

    private void step(final Attempt attempt, final long nowNs)
    {
        boolean done = false;
        switch (attempt.step)
        {
            case READ_PORT:
                done = readPort(attempt);
                break;
            case CLAIM:
                done = nowNs - attempt.notBeforeNs >= 0 && claim(attempt);
                break;
            case HELLO:
                if (hello(attempt))
                {
                    attempt.step = Step.SUMMARY;
                }
                break;
            case SUMMARY:
                done = attempt.link.storeSummary(StreamLayout.HELLO_GROUP);
                attempt.step = done ? Step.AWAIT_ANSWER : Step.SUMMARY;
                break;
            default:
                done = true;
                break;
        }
        if (!done)
        {
            steps.add(attempt);
        }
    }

    private boolean readPort(final Attempt attempt)
    {
        final IpnumaSocketAddress remote = attempt.channel.remoteAddress();
        if (portRegionKey != 0 && !client.tryKey(remote.peerId(), portRegionId, portRegionKey, attempt.id))
        {
            return false;
        }
        final long target =
            ClientMessage.target(remote.peerId(), portRegionId, (long)remote.port() * PortEntry.LENGTH);
        final boolean sent = client.tryRead(target, PortEntry.LENGTH, attempt.id);
        attempt.step = sent ? Step.AWAIT_PORT : Step.READ_PORT;
        return sent;
    }

    void onPort(final long id, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        final Attempt attempt = attempts.get(id);
        if (attempt == null || attempt.step != Step.AWAIT_PORT)
        {
            return;
        }
        final IpnumaSocketAddress remote = attempt.channel.remoteAddress();
        if (status != ClientStatus.OK)
        {
            attempt.channel.onConnectFailed(portProblem(remote, status));
            return;
        }
        final PortEntry entry = length < PortEntry.LENGTH ? null : PortEntry.read(buffer, offset);
        attempt.link = entry == null ? null : agent.link(remote.peerId(), entry);
        if (attempt.link == null)
        {
            attempt.channel.onConnectFailed("no program listens on " + remote);
            return;
        }
        attempt.hello = ThreadLocalRandom.current().nextInt(StreamLayout.HELLOS);
        attempt.step = Step.CLAIM;
        steps.add(attempt);
    }

    private String portProblem(final IpnumaSocketAddress remote, final int status)
    {
        return switch (status)
        {
            case ClientStatus.NO_PEER -> "the endpoint has no peer " + remote.peerId();
            case ClientStatus.UNANSWERED -> "peer " + remote.peerId() + " does not answer";
            case AccessStatus.NO_REGION, AccessStatus.OUT_OF_RANGE, AccessStatus.NO_ACCESS, AccessStatus.WRONG_KEY ->
                "peer " + remote.peerId() + " has no readable directory of ports in region " + portRegionId + ": " +
                    ClientStatus.label(status);
            default -> "cannot read the directory of ports of peer " + remote.peerId() + ": " +
                ClientStatus.label(status);
        };
    }

    private boolean claim(final Attempt attempt)
    {
        final long target = attempt.link.target(StreamLayout.hello(attempt.hello));
        final boolean sent = attempt.link.prepare() && client.tryAtomic(
            AtomicOperation.COMPARE_SWAP, target, claimOf(attempt), 0, Long.BYTES, attempt.id);
        attempt.step = sent ? Step.AWAIT_CLAIM : Step.CLAIM;
        return sent;
    }

    /** Returns a claim that is unique at this time: key of this program and number of the attempt. */
    private long claimOf(final Attempt attempt)
    {
        return own.key() + attempt.id | 1;
    }

    void onClaim(final long id, final int status, final long previous)
    {
        final Attempt attempt = attempts.get(id);
        if (attempt == null || attempt.step != Step.AWAIT_CLAIM)
        {
            return;
        }
        if (status != ClientStatus.OK)
        {
            attempt.channel.onConnectFailed(claimProblem(attempt, status));
            return;
        }
        if (previous == 0)
        {
            attempt.step = Step.HELLO;
        }
        else
        {
            attempt.step = Step.CLAIM;
            attempt.hello = (attempt.hello + 1) % StreamLayout.HELLOS;
            attempt.tries++;
            attempt.notBeforeNs =
                agent.nowNs() + (attempt.tries % StreamLayout.HELLOS == 0 ? RETRY_NS : 0);
        }
        steps.add(attempt);
    }

    private static String claimProblem(final Attempt attempt, final int status)
    {
        return switch (status)
        {
            case ClientStatus.UNANSWERED -> "peer " + attempt.link.peerId() + " does not answer";
            case ClientStatus.UNSUPPORTED ->
                "the format of peer " + attempt.link.peerId() + " has no atomics; streams need fibnuma";
            default -> "no program listens on " + attempt.channel.remoteAddress() + ": the program has ended";
        };
    }

    private boolean hello(final Attempt attempt)
    {
        final StreamChannel channel = attempt.channel;
        new HelloRecord(
            channel.localAddress().peerId(), own.regionId(), own.key(), own.layout(), channel.slot(), channel.tag(),
            channel.localAddress().port(), channel.remoteAddress().port()).write(record, claimOf(attempt));
        final int offset = StreamLayout.hello(attempt.hello) + HelloRecord.BODY_OFFSET;
        final boolean sent = attempt.link.store(offset, body, 0, HelloRecord.BODY_LENGTH);
        if (sent)
        {
            channel.awaitAnswer(attempt.link);
        }
        return sent;
    }

    /** Repeats the hello of a channel after a pause. Returns false if the backlog has been full for too long. */
    boolean retry(final StreamChannel channel)
    {
        final Attempt attempt = attempts.get(channel.attempt());
        if (attempt == null)
        {
            return false;
        }
        final long nowNs = System.nanoTime();
        if (attempt.backlogPauseNs == 0)
        {
            attempt.backlogSinceNs = nowNs;
        }
        else if (nowNs - attempt.backlogSinceNs >= MAX_BACKLOG_NS)
        {
            return false;
        }
        attempt.backlogPauseNs = Math.min(MAX_RETRY_NS, Math.max(RETRY_NS, 2 * attempt.backlogPauseNs));
        attempt.notBeforeNs = nowNs + attempt.backlogPauseNs;
        attempt.step = Step.CLAIM;
        attempt.hello = ThreadLocalRandom.current().nextInt(StreamLayout.HELLOS);
        steps.add(attempt);
        return true;
    }

    /** Ends the attempt of a channel that is connected or has failed. No effect on an accepted channel. */
    void remove(final StreamChannel channel)
    {
        attempts.remove(channel.attempt());
    }

    /** Returns the number of unfinished attempts. */
    int attemptCount()
    {
        return attempts.size();
    }

    /** Fails attempts whose time is over and those of a lost link. */
    void tick(final long nowNs)
    {
        for (final Attempt attempt : new ArrayList<>(attempts.values()))
        {
            if (nowNs - attempt.deadlineNs >= 0)
            {
                attempt.channel.onConnectTimeout(attempt.backlogPauseNs != 0);
            }
            else if (attempt.link != null && attempt.link.isFailed())
            {
                attempt.channel.onConnectFailed("peer " + attempt.link.peerId() + " or its program is lost");
            }
        }
    }
}
