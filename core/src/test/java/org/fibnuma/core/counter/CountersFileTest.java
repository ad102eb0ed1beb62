package org.fibnuma.core.counter;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.core.ChildJvm;
import org.fibnuma.core.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(60)
class CountersFileTest
{
    private static final int TYPE_ID = 7;

    @TempDir
    private Path temporary;

    @Test
    void shouldShowEveryCounterToAReader()
    {
        final Path directory = temporary.resolve("r");
        try (CountersFile file = CountersFile.create(directory, 16))
        {
            final AtomicCounter drops = file.counters().newCounter("drops", TYPE_ID);
            final AtomicCounter frames = file.counters().newCounter("frames", TYPE_ID);
            try (CountersFileReader reader = CountersFileReader.open(directory))
            {
                drops.setRelease(3);
                frames.getAndAdd(5_000_000_000L);
                assertEquals("drops=3 frames=5000000000 ", render(reader.counters()));
                assertEquals(ProcessHandle.current().pid(), reader.pid());
                assertTrue(Math.abs(System.currentTimeMillis() - reader.startTimeMs()) < 60_000);
            }
        }
    }

    @Test
    void shouldBeReadByAnotherProcessWhileItCounts() throws IOException, InterruptedException
    {
        final Path directory = temporary.resolve("r");
        try (CountersFile file = CountersFile.create(directory, 16))
        {
            final AtomicCounter ticks = file.counters().newCounter("ticks", TYPE_ID);
            final Process child = ChildJvm.start(PrintingReader.class, directory.toString());
            try (BufferedReader lines = child.inputReader())
            {
                for (int i = 1; i <= 3; i++)
                {
                    ticks.setRelease(i * 1000L);
                    child.getOutputStream().write('\n');
                    child.getOutputStream().flush();
                    assertEquals("ticks=" + i * 1000L + " ", lines.readLine());
                }
                child.getOutputStream().close();
                assertEquals(0, child.waitFor());
            }
            finally
            {
                child.destroyForcibly();
            }
        }
    }

    @Test
    void shouldReadNoLabelThatLeavesItsPlace() throws IOException
    {
        try (CountersFile file = CountersFile.create(temporary, 16);
            CountersFileReader reader = CountersFileReader.open(temporary);
            FileChannel channel = FileChannel.open(file.file(), StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            file.counters().newCounter("drops", TYPE_ID).setRelease(3);
            final UnsafeBuffer mapped =
                new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size()));
            for (final int length : new int[] {Integer.MAX_VALUE, 381, -1, Integer.MIN_VALUE})
            {
                // The label of the first counter, behind the header of 128 bytes.
                mapped.putIntVolatile(128 + 128, length);
                final String seen = render(reader.counters());
                assertTrue(seen.endsWith("=3 ") && seen.length() <= 380 + 3, length + ": " + seen.length());
            }
        }
    }

    @Test
    void shouldRefuseASecondOwnerInTheSameProcessAndStayWithTheFirst()
    {
        try (CountersFile file = CountersFile.create(temporary, 16))
        {
            final UserException refused =
                assertThrows(UserException.class, () -> CountersFile.create(temporary, 16));
            assertEquals(temporary + " belongs to a running process (pid " + ProcessHandle.current().pid() +
                "): stop it or choose another name", refused.getMessage());
            assertTrue(Files.exists(file.file()));
        }
    }

    @Test
    void shouldRefuseTheNameOfALivingProcessAndReplaceTheFileOfAKilledOne() throws IOException, InterruptedException
    {
        final Process child = ChildJvm.start(HoldingOwner.class, temporary.toString());
        try (BufferedReader lines = child.inputReader())
        {
            assertEquals("created", lines.readLine());
            final UserException refused =
                assertThrows(UserException.class, () -> CountersFile.create(temporary, 16));
            assertTrue(refused.getMessage().contains("(pid " + child.pid() + ")"), refused.getMessage());
            try (CountersFileReader reader = CountersFileReader.open(temporary))
            {
                reader.requireWriter();
            }
        }
        finally
        {
            child.destroyForcibly().waitFor();
        }
        try (CountersFileReader killed = CountersFileReader.open(temporary))
        {
            assertEquals(
                "process " + child.pid() + ", which wrote " + temporary.resolve("counters") +
                ", has ended: start it again",
                assertThrows(UserException.class, killed::requireWriter).getMessage());
        }
        try (CountersFileReader old = CountersFileReader.open(temporary);
            CountersFile file = CountersFile.create(temporary, 32);
            CountersFileReader reader = CountersFileReader.open(temporary))
        {
            assertEquals("held=42 ", render(old.counters()));
            assertEquals("", render(reader.counters()));
            assertEquals(ProcessHandle.current().pid(), reader.pid());
            reader.requireWriter();
            assertNotEquals(old.pid(), reader.pid());
            assertEquals(32, file.counters().maxCounterId() + 1);
        }
    }

    @Test
    void shouldLeaveNothingBehind() throws IOException
    {
        final Path directory = temporary.resolve("r");
        final CountersFile file = CountersFile.create(directory, 16);
        final AtomicCounter late = file.counters().newCounter("late", TYPE_ID);
        file.close();
        file.close();
        late.increment();
        assertFalse(Files.exists(directory));
    }

    @Test
    void shouldKeepADirectoryThatHoldsOtherFiles() throws IOException
    {
        Files.writeString(temporary.resolve("control.sock"), "");
        CountersFile.create(temporary, 16).close();
        assertTrue(Files.exists(temporary.resolve("control.sock")));
        assertFalse(Files.exists(temporary.resolve("counters")));
        CountersFile.create(temporary, 16).close();
    }

    @Test
    void shouldSayInOneLineThatNothingRuns()
    {
        final UserException absent =
            assertThrows(UserException.class, () -> CountersFileReader.open(temporary));
        assertEquals("nothing runs under this name: there is no " + temporary.resolve("counters"),
            absent.getMessage());
    }

    @Test
    void shouldRefuseOtherVersionsAndDamagedFiles() throws IOException
    {
        try (CountersFile file = CountersFile.create(temporary, 16))
        {
            try (RandomAccessFile bytes = new RandomAccessFile(file.file().toFile(), "rw"))
            {
                bytes.seek(CountersFileLayout.VERSION_OFFSET);
                bytes.writeInt(Integer.reverseBytes(99));
                assertOpenFails("has version 99, this program reads version 1");
                bytes.seek(CountersFileLayout.VERSION_OFFSET);
                bytes.writeInt(Integer.reverseBytes(CountersFileLayout.VERSION));
                bytes.setLength(bytes.length() - 1);
                assertOpenFails("is damaged");
                bytes.seek(CountersFileLayout.MAGIC_OFFSET);
                bytes.writeInt(0);
                assertOpenFails("is not a counters file");
                bytes.setLength(3);
                assertOpenFails("is not a counters file: 3 bytes");
            }
        }
    }

    @Test
    void shouldNotFollowALinkThatSomebodyLaid() throws IOException
    {
        final Path victim = Files.writeString(temporary.resolve("victim"), "precious");
        final Path directory = Files.createDirectory(temporary.resolve("r"));
        Files.createSymbolicLink(directory.resolve("counters.new"), victim);
        Files.createSymbolicLink(directory.resolve("counters"), victim);
        CountersFile.create(directory, 16).close();
        Files.createDirectory(directory);
        Files.createSymbolicLink(directory.resolve("lock"), victim);
        assertTrue(assertThrows(UserException.class, () -> CountersFile.create(directory, 16))
            .getMessage().contains("cannot write counters in " + directory));
        assertEquals("precious", Files.readString(victim));
    }

    @Test
    void shouldTakeOnlyNamesThatAreFileNames()
    {
        assertTrue(CountersFile.directoryOf("r-1.a_b").endsWith("fibnuma-r-1.a_b"));
        for (final String name : new String[]{"", "a/b", "..", "a b", "x".repeat(65)})
        {
            assertThrows(IllegalArgumentException.class, () -> CountersFile.directoryOf(name), name);
        }
    }

    private void assertOpenFails(final String part)
    {
        final UserException refused =
            assertThrows(UserException.class, () -> CountersFileReader.open(temporary));
        assertTrue(refused.getMessage().contains(part), refused.getMessage());
        assertFalse(refused.getMessage().contains("\n"));
    }

    private static String render(final CountersReader counters)
    {
        final StringBuilder text = new StringBuilder();
        counters.forEach((id, label) ->
            text.append(label).append('=').append(counters.getCounterValue(id)).append(' '));
        return text.toString();
    }

    /** Prints the counters once for each line it is sent. */
    public static final class PrintingReader
    {
        private PrintingReader()
        {
        }

        public static void main(final String[] arguments) throws IOException
        {
            try (CountersFileReader reader = CountersFileReader.open(Path.of(arguments[0])))
            {
                while (System.in.read() >= 0)
                {
                    System.out.println(render(reader.counters()));
                }
            }
        }
    }

    /** Owns a file until it is killed. */
    public static final class HoldingOwner
    {
        private HoldingOwner()
        {
        }

        public static void main(final String[] arguments) throws IOException
        {
            final CountersFile file = CountersFile.create(Path.of(arguments[0]), 16);
            file.counters().newCounter("held", TYPE_ID).setRelease(42);
            System.out.println("created");
            System.in.read();
        }
    }
}
