package org.fibnuma.binding.libc;

import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LibCTest
{
    private static final int PAGE = 4096;
    private static final int SOCKADDR_IN_SIZE = 16;
    private static final int LOOPBACK_IN_NETWORK_ORDER = 0x0100007F;

    private final LibC libC = LibC.get();

    @Test
    void shouldPassAllSixArgumentsOfMmap(@TempDir final Path directory) throws IOException
    {
        final Path file = directory.resolve("pages");
        final byte[] content = new byte[3 * PAGE];
        Arrays.fill(content, 2 * PAGE, 3 * PAGE, (byte)0x5A);
        Files.write(file, content);
        final int fd = libC.open(file.toString(), Fcntl.O_RDWR | Fcntl.O_CLOEXEC, 0);
        final long reserved = libC.mmap(
            0, 4 * PAGE, SysMman.PROT_NONE, SysMman.MAP_PRIVATE | SysMman.MAP_ANONYMOUS, -1, 0);

        final long mapped = libC.mmap(
            reserved + PAGE, PAGE, SysMman.PROT_READ, SysMman.MAP_SHARED | SysMman.MAP_FIXED, fd, 2 * PAGE);

        assertEquals(reserved + PAGE, mapped);
        assertEquals(0x5A, UnsafeApi.getByte(mapped));
        // /proc/self/maps shows the kernel's view of every argument: range, protection, sharing, offset, file.
        final String line = Files.readAllLines(Path.of("/proc/self/maps")).stream()
            .filter(entry -> entry.endsWith(file.toString())).findFirst().orElseThrow();
        assertTrue(
            line.startsWith(String.format("%x-%x r--s %08x ", mapped, mapped + PAGE, 2 * PAGE)), line);
        assertEquals(0, libC.munmap(reserved, 4 * PAGE));
        assertEquals(0, libC.close(fd));
    }

    @Test
    void shouldPassAllSixArgumentsOfSendtoAndRecvfrom()
    {
        final int receiver = libC.socket(SysSocket.AF_INET, SysSocket.SOCK_DGRAM, 0);
        final int sender = libC.socket(SysSocket.AF_INET, SysSocket.SOCK_DGRAM, 0);
        try (StructMemory to = new StructMemory(SOCKADDR_IN_SIZE);
            StructMemory from = new StructMemory(SOCKADDR_IN_SIZE);
            StructMemory length = new StructMemory(Integer.BYTES);
            StructMemory payload = new StructMemory(8))
        {
            bindToLoopback(receiver, to, length);
            bindToLoopback(sender, from, length);
            payload.putLong(0, 0x1122334455667788L);

            assertEquals(5, libC.sendto(
                sender, payload.address(), 5, SysSocket.MSG_DONTWAIT, to.address(), SOCKADDR_IN_SIZE));

            payload.putLong(0, 0);
            try (StructMemory source = new StructMemory(SOCKADDR_IN_SIZE))
            {
                length.putInt(0, SOCKADDR_IN_SIZE);
                assertEquals(5, libC.recvfrom(
                    receiver, payload.address(), 8, SysSocket.MSG_PEEK, source.address(), length.address()));
                assertEquals(SOCKADDR_IN_SIZE, length.getInt(0));
                assertArrayEquals(from.getBytes(0, 8), source.getBytes(0, 8));
            }
            assertEquals(0x4455667788L, payload.getLong(0));
            // A wrong address length must be seen by the kernel as given.
            assertEquals(-1, libC.sendto(sender, payload.address(), 5, 0, to.address(), 3));
            assertTrue(Errno.EINVAL.is(Errno.last()));
        }
        finally
        {
            libC.close(receiver);
            libC.close(sender);
        }
    }

    @Test
    void shouldSayWhyACallFailed()
    {
        final SystemCallException ex = assertThrows(
            SystemCallException.class, () -> SystemCallException.check(libC.close(-1), "close"));

        assertEquals("close: EBADF (Bad file descriptor)", ex.getMessage());
        assertEquals(Errno.EBADF.number(), ex.errno());
    }

    @Test
    void shouldKeepStructMemoryInBounds()
    {
        try (StructMemory memory = new StructMemory(8))
        {
            assertEquals(0, memory.getLong(0));
            memory.putString(0, "lo", 4);
            assertEquals("lo", memory.getString(0, 4));
            assertThrows(IndexOutOfBoundsException.class, () -> memory.getInt(5));
            assertThrows(IllegalArgumentException.class, () -> memory.putString(0, "long", 4));
        }
    }

    private void bindToLoopback(final int socket, final StructMemory address, final StructMemory length)
    {
        address.putShort(0, SysSocket.AF_INET).putInt(4, LOOPBACK_IN_NETWORK_ORDER);
        SystemCallException.check(libC.bind(socket, address.address(), SOCKADDR_IN_SIZE), "bind");
        length.putInt(0, SOCKADDR_IN_SIZE);
        SystemCallException.check(libC.getsockname(socket, address.address(), length.address()), "getsockname");
    }
}
