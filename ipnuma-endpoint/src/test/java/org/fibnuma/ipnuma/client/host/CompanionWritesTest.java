package org.fibnuma.ipnuma.client.host;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.ClientStatus;
import org.fibnuma.ipnuma.client.EndpointClient;
import org.fibnuma.ipnuma.wire.ScatterList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.ByteBuffer;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests writes of a client whose thread runs the endpoint. */
@Timeout(120)
class CompanionWritesTest
{
    private static final long TARGET = ClientMessage.target(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX, 0);

    private final TestHost host = new TestHost();
    private final UnsafeBuffer outside = new UnsafeBuffer(ByteBuffer.allocateDirect(4096));
    private final DirectBuffer heap = new UnsafeBuffer(new byte[4096]);
    private final ScatterList list = new ScatterList(64);
    private EndpointClient client;

    @BeforeEach
    void connect()
    {
        client = host.connectCompanion();
        host.endpoint().record = true;
    }

    @AfterEach
    void close()
    {
        client.close();
        host.close();
    }

    @Test
    void shouldExecuteAWriteAtOnce()
    {
        outside.putInt(12, 42);
        assertTrue(client.tryWrite(TARGET, outside, 12, 4, ClientMessage.ORDERED | ClientMessage.THEN_FLUSH));
        assertEquals(List.of("write 4", "flush"), host.endpoint().calls);
        assertEquals(42, LoopbackEndpoint.firstInt(host.endpoint().box()));
    }

    @Test
    void shouldExecuteAWriteThatIsLongerThanARecordOfTheRing()
    {
        assertEquals(LoopbackEndpoint.LONGEST_WRITE, client.longestWrite(TARGET));
        assertTrue(client.tryWrite(TARGET, outside, 0, LoopbackEndpoint.LONGEST_WRITE, 0));
        assertEquals(List.of("write " + LoopbackEndpoint.LONGEST_WRITE), host.endpoint().calls);
        assertThrows(IllegalArgumentException.class, () -> client.tryWrite(TARGET, heap, 0, 1025, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> client.tryWrite(TARGET, outside, 4090, 8, 0));
    }

    @Test
    void shouldExecuteNothingBeforeWhatIsInTheRing()
    {
        assertTrue(client.tryWrite(TARGET, heap, 0, 8, 0));
        assertTrue(client.tryWrite(TARGET, outside, 0, 16, 0));
        assertEquals(ClientMessage.MAX_DATA_LENGTH, client.longestWrite(TARGET));
        assertFalse(client.tryWrite(TARGET, outside, 0, 1025, 0));
        assertEquals(List.of(), host.endpoint().calls);
        client.poll();
        assertEquals(List.of("write 8", "write 16"), host.endpoint().calls);
        assertTrue(client.tryWrite(TARGET, outside, 0, 24, 0));
        assertEquals(List.of("write 8", "write 16", "write 24"), host.endpoint().calls);
    }

    @Test
    void shouldNotTakeWhatThePeerDoesNotTake()
    {
        host.endpoint().busy = true;
        assertFalse(client.tryWrite(TARGET, outside, 0, 8, 0, 5));
        assertTrue(client.tryWrite(TARGET, heap, 0, 16, 0));
        host.endpoint().busy = false;
        assertTrue(client.tryWrite(TARGET, outside, 0, 24, 0, 6));
        assertEquals(List.of(), host.endpoint().calls);
        client.poll();
        assertEquals(List.of("write 16", "write 24", "flush"), host.endpoint().calls);
        assertEquals(List.of("written 6 0"), host.answers);
    }

    @Test
    void shouldAnswerAWriteInThePollAfterIt()
    {
        assertTrue(client.tryWrite(TARGET, outside, 0, 8, 0, 7));
        assertEquals(List.of(), host.answers);
        client.poll();
        assertEquals(List.of("written 7 0"), host.answers);
    }

    @Test
    void shouldRefuseAWriteForAConnectionThatWasLost()
    {
        host.endpoint().rings().onPeer(ClientMessage.PEER_DOWN, LoopbackEndpoint.PEER, 0, 3);
        assertTrue(client.tryWrite(TARGET, outside, 0, 8, 0, 9));
        client.poll();
        assertEquals(List.of(), host.endpoint().calls);
        assertTrue(host.answers.contains("written 9 " + ClientStatus.NOT_SENT), host.answers.toString());
        assertTrue(client.tryWrite(TARGET, outside, 0, 16, 0));
        assertEquals(List.of("write 16"), host.endpoint().calls);
    }

    @Test
    void shouldRefuseAWriteToAPeerThatDoesNotExist()
    {
        final long nowhere = ClientMessage.target(77, LoopbackEndpoint.BOX, 0);
        assertEquals(ClientMessage.MAX_DATA_LENGTH, client.longestWrite(nowhere));
        assertTrue(client.tryWrite(nowhere, outside, 0, 8, 0, 3));
        client.poll();
        assertEquals(List.of("written 3 " + ClientStatus.NO_PEER), host.answers);
    }

    @Test
    void shouldExecuteAListAtOnceIfItPassesByMemory()
    {
        list.add(0, heap, 0, 8);
        assertFalse(client.passesByMemory(TARGET));
        assertFalse(client.tryScatter(TARGET, list, 0));
        host.endpoint().byMemory = true;
        assertTrue(client.passesByMemory(TARGET));
        assertTrue(client.tryScatter(TARGET, list, 4));
        assertEquals(List.of("scatter 16"), host.endpoint().calls);
        client.poll();
        assertEquals(List.of("written 4 0"), host.answers);
    }

    @Test
    void shouldExecuteNoListBeforeWhatIsInTheRing()
    {
        list.add(0, heap, 0, 8);
        host.endpoint().byMemory = true;
        assertTrue(client.tryWrite(TARGET, heap, 0, 8, 0));
        assertFalse(client.passesByMemory(TARGET));
        assertFalse(client.tryScatter(TARGET, list, 0));
        client.poll();
        assertTrue(client.tryScatter(TARGET, list, 0));
        assertEquals(List.of("write 8", "scatter 16"), host.endpoint().calls);
    }

    @Test
    void shouldNotTakeAListThatThePeerDoesNotTake()
    {
        list.add(0, heap, 0, 8);
        host.endpoint().byMemory = true;
        host.endpoint().busy = true;
        assertFalse(client.tryScatter(TARGET, list, 5));
        assertFalse(client.tryScatter(ClientMessage.target(77, LoopbackEndpoint.BOX, 0), list, 5));
        host.endpoint().busy = false;
        host.endpoint().rings().onPeer(ClientMessage.PEER_DOWN, LoopbackEndpoint.PEER, 0, 3);
        assertFalse(client.tryScatter(TARGET, list, 6));
        client.poll();
        assertTrue(client.tryScatter(TARGET, list, 7));
        client.poll();
        assertEquals(List.of("scatter 16"), host.endpoint().calls);
        assertTrue(host.answers.contains("written 7 0"), host.answers.toString());
        assertEquals(1, host.answers.stream().filter(answer -> answer.startsWith("written")).count());
    }
}
