package org.fibnuma.binding.dpdk.eal;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RuntimeDirectoriesTest
{
    private static final String SOCKET = "dpdk_telemetry.v2";

    @TempDir
    private Path parent;

    private Path stale;
    private RuntimeDirectories directories;

    @BeforeEach
    void killAProcess() throws IOException, InterruptedException
    {
        directories = new RuntimeDirectories(parent);
        stale = Files.createDirectory(parent.resolve(RuntimeDirectories.prefixOf(ended())));
    }

    private static long ended() throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder("true").start();
        process.waitFor();
        return process.pid();
    }

    @Test
    void shouldRemoveWhatAProcessThatIsGoneLeftBehind() throws IOException
    {
        Files.createFile(stale.resolve("fbarray_memzone"));
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX))
        {
            server.bind(UnixDomainSocketAddress.of(stale.resolve(SOCKET)));
        }
        assertTrue(Files.exists(stale.resolve(SOCKET)), "a socket outlives its process");
        directories.removeStale();
        assertFalse(Files.exists(stale));
        assertTrue(Files.exists(parent));
    }

    @Test
    void shouldLeaveThatOfALivingProcess() throws IOException
    {
        final Path own = Files.createDirectory(
            parent.resolve(RuntimeDirectories.prefixOf(ProcessHandle.current().pid())));
        directories.removeStale();
        assertTrue(Files.exists(own));
    }

    /** A process in another container is not seen, but its socket is. */
    @Test
    void shouldLeaveThatOfAProcessThatListens() throws IOException
    {
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX))
        {
            server.bind(UnixDomainSocketAddress.of(stale.resolve(SOCKET)));
            directories.removeStale();
            assertTrue(Files.exists(stale.resolve(SOCKET)));
        }
    }

    @Test
    void shouldLeaveWhatHasAnotherName() throws IOException
    {
        final String pid = stale.getFileName().toString().substring("fibnuma-".length());
        final String[] others = {"rte", "fibnuma", "fibnuma-", "fibnuma-0" + pid, "fibnuma-" + pid + "x",
            "fibnuma-bench-" + pid, "xfibnuma-" + pid, "fibnuma-99999999999999999999"};
        for (final String name : others)
        {
            Files.createFile(Files.createDirectory(parent.resolve(name)).resolve("config"));
        }
        directories.removeStale();
        for (final String name : others)
        {
            assertTrue(Files.exists(parent.resolve(name).resolve("config")), name);
        }
        assertFalse(Files.exists(stale));
    }

    @Test
    void shouldFollowNoLink() throws IOException, InterruptedException
    {
        final Path elsewhere = Files.createDirectory(parent.resolve("elsewhere"));
        final Path file = Files.createFile(elsewhere.resolve("file"));
        final Path link = Files.createSymbolicLink(
            parent.resolve(RuntimeDirectories.prefixOf(ended())), elsewhere);
        Files.createSymbolicLink(stale.resolve("directory"), elsewhere);
        Files.createSymbolicLink(stale.resolve("file"), file);
        directories.removeStale();
        assertTrue(Files.exists(file));
        assertTrue(Files.isSymbolicLink(link));
        assertFalse(Files.exists(stale));

        final Path dead = Files.createDirectory(elsewhere.resolve(stale.getFileName()));
        new RuntimeDirectories(Files.createSymbolicLink(parent.resolve("dpdk"), elsewhere)).removeStale();
        assertTrue(Files.exists(dead), "the directory of them all is a link");
    }

    @Test
    void shouldGoOnWhenOneCannotBeRemoved() throws IOException, InterruptedException
    {
        final Path full = Files.createDirectories(stale.resolve("directory")).getParent();
        final Path other = Files.createDirectory(parent.resolve(RuntimeDirectories.prefixOf(ended())));
        directories.removeStale();
        assertTrue(Files.exists(full));
        assertFalse(Files.exists(other));
    }

    @Test
    void shouldDoNothingWhereNothingIs()
    {
        final RuntimeDirectories nowhere = new RuntimeDirectories(parent.resolve("nowhere"));
        nowhere.removeStale();
        nowhere.remove(parent.resolve("nowhere").resolve("fibnuma-1"));
        nowhere.removeEmpty(parent.resolve("nowhere").resolve("fibnuma"));
        assertTrue(Files.exists(stale));
    }

    @Test
    void shouldRemoveItsOwnAtTheEnd() throws IOException
    {
        Files.createFile(stale.resolve("config"));
        directories.removeEmpty(stale);
        assertTrue(Files.exists(stale), "not while there is anything in it");
        directories.remove(stale);
        assertFalse(Files.exists(stale));
        directories.remove(stale);
    }
}
