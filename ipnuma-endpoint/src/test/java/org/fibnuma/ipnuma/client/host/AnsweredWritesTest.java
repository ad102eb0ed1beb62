package org.fibnuma.ipnuma.client.host;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.ClientStatus;
import org.fibnuma.ipnuma.client.EndpointClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests writes that request an answer. */
@Timeout(120)
class AnsweredWritesTest
{
    private static final long TARGET = ClientMessage.target(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX, 0);
    private static final int FLOOD = 300;

    private final TestHost host = new TestHost();
    private final UnsafeBuffer data = new UnsafeBuffer(new byte[8]);

    @AfterEach
    void close()
    {
        host.close();
    }

    @Test
    void shouldAnswerWritesThatHaveACorrelationWithWhatBecameOfThem()
    {
        try (EndpointClient client = host.connect())
        {
            assertTrue(write(client, TARGET, 1));
            assertTrue(write(client, TARGET, 0));
            assertTrue(write(client, TARGET, -2));
            assertTrue(write(client, ClientMessage.target(3, 1, 0), 3));
            assertTrue(write(client, TARGET + LoopbackEndpoint.BOX_SIZE, 4));
            host.turn();
            client.poll();
            assertEquals(List.of("written 1 0", "written -2 0", "written 3 " + ClientStatus.NO_PEER,
                "peer 114 2 2 " + (((long)LoopbackEndpoint.BOX << 32) + LoopbackEndpoint.BOX_SIZE), "written 4 2"),
                host.answers);
        }
    }

    @Test
    void shouldSendTheAnsweredWritesOfADutyCycleTogetherAtItsEnd()
    {
        try (EndpointClient client = host.connect())
        {
            host.turn();
            host.endpoint().record = true;
            assertTrue(write(client, TARGET, 1));
            assertTrue(write(client, TARGET, 2));
            host.turn();
            assertEquals(List.of("write 8", "write 8", "flush"), host.endpoint().calls);
        }
    }

    @Test
    void shouldAnswerWritesThatAConnectionWasLostWithAndThoseThatCameTooLateForIt()
    {
        try (EndpointClient client = host.connect())
        {
            host.endpoint().silent = true;
            assertTrue(write(client, TARGET, 1));
            host.turn();
            host.endpoint().tags.forEach(host.endpoint().rings()::onUnanswered);
            host.endpoint().rings().onPeer(ClientMessage.PEER_DOWN, LoopbackEndpoint.PEER, 0, 1);
            assertTrue(write(client, TARGET, 2));
            host.turn();
            // A tag that was answered has no client any more.
            host.endpoint().tags.forEach(tag -> host.endpoint().rings().onWritten(tag, 0));
            client.poll();
            assertEquals(List.of("written 1 " + ClientStatus.UNANSWERED, "peer 111 2 0 1",
                "written 2 " + ClientStatus.NOT_SENT), host.answers);
        }
    }

    @Test
    void shouldHoldUpAClientThatHasTooManyWritesUnansweredAndNobodyElse()
    {
        try (EndpointClient flooding = host.connect();
            EndpointClient other = EndpointClient.connect(host.directory, host.listener))
        {
            host.endpoint().silent = true;
            for (int i = 1; i <= FLOOD; i++)
            {
                assertTrue(write(flooding, TARGET, i));
            }
            for (int i = 0; i < FLOOD; i++)
            {
                host.turn();
            }
            assertEquals(ClientSlot.MAX_WRITES, host.endpoint().tags.size());
            assertTrue(other.tryRead(TARGET, 8, 1));
            assertTrue(write(other, TARGET, 2));
            host.turn();
            assertEquals(ClientSlot.MAX_WRITES + 2, host.endpoint().tags.size());
            host.endpoint().silent = false;
            final List<Long> tags = new ArrayList<>(host.endpoint().tags);
            tags.forEach(tag -> host.endpoint().rings().onWritten(tag, 0));
            while (host.answers.size() < FLOOD)
            {
                host.turn();
                flooding.poll();
            }
            assertEquals(LongStream.rangeClosed(1, FLOOD).mapToObj(i -> "written " + i + " 0").toList(), host.answers);
        }
    }

    @Test
    void shouldHoldUpAClientThatNeverReadsItsAnswersAndNobodyElse()
    {
        try (EndpointClient flooding = host.connect();
            EndpointClient other = EndpointClient.connect(host.directory, host.listener))
        {
            int sent = 0;
            for (int turns = 0; turns < 50; sent++)
            {
                if (!write(flooding, TARGET, sent + 1))
                {
                    sent--;
                    turns++;
                    host.turn();
                }
            }
            // Two rings of 16 KiB, records of 40 and of 32 bytes.
            assertTrue(sent > 500 && sent < 1000, "sent " + sent);
            assertTrue(write(other, TARGET, -1));
            host.turn();
            other.poll();
            assertEquals(List.of("written -1 0"), host.answers);
            host.answers.clear();
            while (host.answers.size() < sent)
            {
                flooding.poll();
                host.turn();
            }
            assertEquals(LongStream.rangeClosed(1, sent).mapToObj(i -> "written " + i + " 0").toList(), host.answers);
        }
    }

    private boolean write(final EndpointClient client, final long target, final long correlation)
    {
        return client.tryWrite(target, data, 0, 8, ClientMessage.ORDERED, correlation);
    }
}
