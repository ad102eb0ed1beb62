package org.fibnuma.ipnuma.window;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests which writes result from stores. */
class PageWindowTest
{
    private static final int KEY = 77;

    private final List<String> sent = new ArrayList<>();
    private boolean room = true;
    /** Number of writes for which there is room. */
    private int roomFor = Integer.MAX_VALUE;
    private final PageWindow window = new PageWindow(3 * 4096, pcId -> pcId <= 2 ? channel(pcId) : null,
        StoreOrder.IN_ORDER);

    PageWindowTest()
    {
        window.map(0, 4096, 1, RemoteAddress.of(3, 8192), KEY);
        window.map(4096, 4096, 2, RemoteAddress.of(4, 0), 0);
    }

    @AfterEach
    void close()
    {
        window.close();
    }

    @Test
    void shouldGatherNeighboursUntilFlush()
    {
        assertTrue(window.putInt(8, 1));
        assertTrue(window.putInt(12, 2));
        assertTrue(window.putLong(16, 3));
        assertTrue(window.putInt(12, 4));
        assertEquals(List.of(), sent);
        assertTrue(window.flush());
        assertEquals(List.of("1 300002008+16 key 77: 1", "1 flush"), sent);
    }

    @Test
    void shouldSendAFullLineAtOnce()
    {
        for (int offset = 64; offset < 128; offset += 8)
        {
            assertTrue(window.putLong(offset, offset));
        }
        assertEquals(List.of("1 300002040+64 key 77: 64"), sent);
    }

    @Test
    void shouldSendWhatIsPendingBeforeAStoreElsewhere()
    {
        window.putInt(0, 1);
        window.putInt(8, 2);
        window.putInt(64, 3);
        window.putInt(4096, 4);
        window.flush();
        assertEquals(List.of(
            "1 300002000+4 key 77: 1", "1 300002008+4 key 77: 2", "1 300002040+4 key 77: 3", "1 flush",
            "2 400000000+4 key 0: 4", "2 flush"), sent);
    }

    @Test
    void shouldLetAnOrderedStoreFollowEverything()
    {
        window.putInt(4, 1);
        assertTrue(window.putIntOrdered(8, 2));
        assertEquals(
            List.of("1 300002004+4 key 77: 1", "1 300002008+4 key 77: 2", "1 flush"), sent);
    }

    @Test
    void shouldKeepWhatFindsNoRoom()
    {
        window.putInt(0, 1);
        room = false;
        assertFalse(window.flush());
        assertFalse(window.putInt(64, 2));
        assertTrue(window.putInt(4, 3));
        sent.clear();
        room = true;
        assertTrue(window.flush());
        assertEquals(List.of("1 300002000+8 key 77: 1", "1 flush"), sent);
    }

    @Test
    void shouldNotKeepAnOrderedStoreThatFoundNoRoom()
    {
        room = false;
        assertFalse(window.putIntOrdered(8, 2));
        assertFalse(window.putLongOrdered(16, 3));
        room = true;
        assertTrue(window.flush());
        assertTrue(window.putIntOrdered(8, 2));
        assertTrue(window.putLongOrdered(16, 3));
        sent.removeIf(what -> what.endsWith("flush"));
        assertEquals(List.of("1 300002008+4 key 77: 2", "1 300002010+8 key 77: 3"), sent);
    }

    @Test
    void shouldSendWhatCameBeforeAnOrderedStoreThatFoundNoRoom()
    {
        window.putInt(4, 1);
        roomFor = 1;
        assertFalse(window.putIntOrdered(8, 2));
        assertFalse(window.putLongOrdered(56, 3));
        roomFor = Integer.MAX_VALUE;
        assertTrue(window.putIntOrdered(8, 2));
        sent.removeIf(what -> what.endsWith("flush"));
        assertEquals(List.of("1 300002004+4 key 77: 1", "1 300002008+4 key 77: 2"), sent);
    }

    @Test
    void shouldCutBytesAtPages()
    {
        try (MemoryRegion data = MemoryRegion.ofBytes(64))
        {
            assertEquals(20, window.putBytes(4090, data.address(), 20));
        }
        assertEquals(
            List.of("1 300002ffa+6 key 77: 0", "1 flush", "2 400000000+14 key 0: 0"), sent);
    }

    @Test
    void shouldRefuseWhatCannotBe()
    {
        assertThrows(IllegalArgumentException.class, () -> window.putInt(2, 0));
        assertThrows(IllegalArgumentException.class, () -> window.putLong(4, 0));
        assertThrows(IllegalStateException.class, () -> window.putInt(8192, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> window.putInt(3 * 4096, 0));
        assertThrows(IllegalArgumentException.class, () -> window.map(0, 100, 1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> window.map(0, 4096, 3, 0, 0));
        assertEquals(List.of(), sent);
    }

    private PeerChannel channel(final int pcId)
    {
        return (PeerChannel)Proxy.newProxyInstance(
            PeerChannel.class.getClassLoader(), new Class<?>[] {PeerChannel.class}, (proxy, method, arguments) ->
            {
                switch (method.getName())
                {
                    case "write":
                        final long address = (Long)arguments[0];
                        final int length = (Integer)arguments[3];
                        if (room && roomFor-- > 0)
                        {
                            sent.add(pcId + " " + Long.toHexString(address) + "+" + length + " key " + arguments[1] +
                                ": " + (length < 4 ? 0 : FrameMemory.getInt((Long)arguments[2])));
                            return true;
                        }
                        return false;
                    case "flush":
                        sent.add(pcId + " flush");
                        return null;
                    case "longestWrite":
                        return 1024;
                    case "equals":
                        return proxy == arguments[0] || Proxy.isProxyClass(arguments[0].getClass()) &&
                            proxy.toString().equals(arguments[0].toString());
                    default:
                        return "peer " + pcId;
                }
            });
    }
}
