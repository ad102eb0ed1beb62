package org.fibnuma.binding.libc;

import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.memory.SealedFile;
import org.fibnuma.core.memory.SealedFileSource;
import org.fibnuma.core.memory.SharedFiles;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

import static org.fibnuma.binding.libc.Fcntl.F_ADD_SEALS;
import static org.fibnuma.binding.libc.Fcntl.F_SEAL_GROW;
import static org.fibnuma.binding.libc.Fcntl.F_SEAL_SEAL;
import static org.fibnuma.binding.libc.Fcntl.F_SEAL_SHRINK;
import static org.fibnuma.binding.libc.Fcntl.MFD_ALLOW_SEALING;
import static org.fibnuma.binding.libc.Fcntl.MFD_CLOEXEC;

/**
 * Creates files by memfd_create(2), sealed against shrinking and growing. Other processes open them as
 * {@code /proc/PID/fd/N}, which needs the right to trace this process (proc(5)): the same user, and no capability that
 * the other process lacks.
 */
public final class MemfdSource implements SealedFileSource
{
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final long NO_CAPABILITIES = 0;

    private final LibC libC = LibC.get();

    @Override
    public SealedFile create(final String name, final long length) throws IOException
    {
        if (!isOpenToOthers())
        {
            return null;
        }
        final int descriptor = libC.memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
        if (descriptor < 0)
        {
            return null;
        }
        return AllOrNothing.open(new Memfd(descriptor), file ->
        {
            Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString("rw-------"));
            try (FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.WRITE))
            {
                SharedFiles.writeZeros(channel, length);
            }
            SystemCallException.check(
                libC.fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL), "fcntl(F_ADD_SEALS)");
        });
    }

    /** Returns whether another process of this user (root, or without capabilities) may open this process's files. */
    private static boolean isOpenToOthers() throws IOException
    {
        if (!Files.isReadable(STATUS))
        {
            return false;
        }
        boolean isRoot = false;
        boolean isPlain = false;
        for (final String line : Files.readAllLines(STATUS))
        {
            final String[] words = line.split("\\s+");
            // Real, effective, saved and file system user id.
            isRoot |= "Uid:".equals(words[0]) && "0".equals(words[2]);
            isPlain |= "CapPrm:".equals(words[0]) && Long.parseUnsignedLong(words[1], 16) == NO_CAPABILITIES;
        }
        return isRoot || isPlain;
    }

    private final class Memfd implements SealedFile
    {
        private final int descriptor;
        private final Path path;
        private boolean closed;

        Memfd(final int descriptor)
        {
            this.descriptor = descriptor;
            this.path = Path.of("/proc", Long.toString(ProcessHandle.current().pid()), "fd",
                Integer.toString(descriptor));
        }

        @Override
        public Path path()
        {
            return path;
        }

        @Override
        public void close()
        {
            if (!closed)
            {
                closed = true;
                libC.close(descriptor);
            }
        }
    }
}
