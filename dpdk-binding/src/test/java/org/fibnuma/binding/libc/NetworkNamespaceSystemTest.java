package org.fibnuma.binding.libc;

import org.fibnuma.core.Require;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class NetworkNamespaceSystemTest
{
    @BeforeEach
    void require()
    {
        Require.root();
        Require.program("ip", "iproute2");
    }

    @Test
    void shouldEnterAndComeBack() throws IOException
    {
        final String name = "fibnuma-ns-" + ProcessHandle.current().pid();
        final String home = current();
        assertEquals(0, ip("netns", "add", name));
        try
        {
            assertEquals(1, NetworkNamespace.call(name, () -> LibC.get().if_nametoindex("lo")));
            assertEquals(home, current());
            final NetworkNamespace stay = NetworkNamespace.enter(name);
            assertNotEquals(home, current());
            stay.close();
            stay.close();
            assertEquals(home, current());
        }
        finally
        {
            ip("netns", "delete", name);
        }
    }

    @Test
    void shouldNameANamespaceThatIsNotThere()
    {
        final SystemCallException ex = assertThrows(
            SystemCallException.class, () -> NetworkNamespace.enter("fibnuma-none"));

        assertTrue(ex.getMessage().contains("/run/netns/fibnuma-none"), ex.getMessage());
        assertEquals(Errno.ENOENT.number(), ex.errno());
    }

    private static String current() throws IOException
    {
        return Files.readSymbolicLink(Path.of("/proc/thread-self/ns/net")).toString();
    }

    private static int ip(final String... arguments) throws IOException
    {
        final String[] command = new String[arguments.length + 1];
        command[0] = "ip";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        try
        {
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IOException(ex);
        }
    }
}
