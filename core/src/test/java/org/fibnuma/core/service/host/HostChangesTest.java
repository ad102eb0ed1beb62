package org.fibnuma.core.service.host;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Uses ordinary files instead of the kernel's, and records of processes that have ended. */
class HostChangesTest
{
    private static final String FLUSH = "gro_flush_timeout";
    private static final String FLAGS = "flags";
    private static final int INDEX = 7;

    @TempDir
    private Path directory;
    private Path run;
    private Path interfaces;
    private final List<String> lines = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    @BeforeEach
    void makeInterface() throws IOException
    {
        run = Files.createDirectories(directory.resolve("run"));
        interfaces = directory.resolve("net");
        Files.createDirectories(interfaces.resolve("eth0"));
        put("ifindex", "7\n");
        put(FLUSH, "0\n");
        put(FLAGS, "0x1003\n");
    }

    @Test
    void shouldWriteDownBeforeItChangesAndForgetWhatIsPutBack() throws IOException
    {
        try (HostChanges changes = HostChanges.open(run.resolve("r"), interfaces))
        {
            final HostChanges.Change change = changes.expect("eth0", INDEX, FLUSH, "200000");
            assertEquals("0", get(FLUSH), "changed before it was written down");
            assertEquals(1, own().values().size());
            assertEquals("0", own().values().get(0).before());
            assertEquals("200000", own().values().get(0).after());
            assertEquals(ProcessHandle.current().pid(), own().owner().pid());

            change.make();
            assertEquals("200000", get(FLUSH));
            change.close();

            assertEquals("0", get(FLUSH));
            assertEquals(List.of(), own().values());
        }
        assertFalse(Files.exists(run.resolve("r")), "the record stays after a clean end");
    }

    /** An interface of another index has the name now. */
    @Test
    void shouldPutBackTheValueOfAnInterfaceThatWasRenamed() throws IOException
    {
        try (HostChanges changes = HostChanges.open(run.resolve("r"), interfaces))
        {
            final HostChanges.Change change = changes.expect("eth0", INDEX, FLUSH, "200000");
            change.make();
            Files.move(interfaces.resolve("eth0"), interfaces.resolve("x"));
            Files.createDirectories(interfaces.resolve("eth0"));
            put("ifindex", "8\n");
            put(FLUSH, "200000\n");
            change.close();
        }
        assertEquals("0", Files.readString(interfaces.resolve("x").resolve(FLUSH)).strip());
        assertEquals("200000", get(FLUSH));
    }

    @Test
    void shouldPutBackWhatAKilledProcessHasChanged() throws Exception
    {
        put(FLUSH, "200000\n");
        put(FLAGS, "0x1103\n");
        dead("killed", value(INDEX, FLUSH, "0", "200000"), value(INDEX, FLAGS, "0x1003", "0x1103"));

        putBack();

        assertEquals("0", get(FLUSH));
        assertEquals("0x1003", get(FLAGS));
        assertEquals(List.of("killed"), names);
        assertEquals(2, lines.size(), lines::toString);
        assertTrue(lines.get(1).startsWith("interface eth0: gro_flush_timeout is 0 again: \"killed\" (pid "),
            lines::toString);
        assertFalse(Files.exists(run.resolve("killed")));
        putBack();
        assertEquals(1, names.size());
    }

    @Test
    void shouldLeaveALivingProcessAlone() throws IOException
    {
        try (HostChanges changes = HostChanges.open(run.resolve("alive"), interfaces))
        {
            changes.expect("eth0", INDEX, FLUSH, "200000").make();
            putBack();
            assertEquals("200000", get(FLUSH));
            assertEquals(1, own("alive").values().size());
        }
        assertEquals(List.of(), names);
    }

    @Test
    void shouldTellAProcessFromALaterOneOfItsNumber() throws IOException
    {
        final ProcessIdentity own = ProcessIdentity.own();
        assertFalse(own.isDead());
        assertTrue(new ProcessIdentity(own.namespace(), own.pid(), own.start() - 1).isDead());
        assertFalse(new ProcessIdentity("pid:[1]", own.pid(), own.start() - 1).isDead(), "cannot be known");
    }

    @Test
    void shouldLeaveWhatSomebodyElseHasChangedSince() throws Exception
    {
        put(FLUSH, "5000\n");
        put(FLAGS, "0x1043\n");
        dead("killed", value(INDEX, FLUSH, "0", "200000"), value(INDEX, FLAGS, "0x1003", "0x1103"));

        putBack();

        assertEquals("5000", get(FLUSH));
        assertEquals("0x1043", get(FLAGS));
        assertEquals(List.of(), lines);
        assertEquals(List.of("killed"), names);
    }

    @Test
    void shouldPutBackOnlyTheBitsThatWereChanged() throws Exception
    {
        put(FLAGS, "0x1143\n");
        dead("killed", value(INDEX, FLAGS, "0x1003", "0x1103"));
        putBack();
        assertEquals("0x1043", get(FLAGS));
    }

    @Test
    void shouldNotTouchAnotherInterfaceOfTheName() throws Exception
    {
        put(FLUSH, "200000\n");
        dead("killed", value(INDEX + 1, FLUSH, "0", "200000"));
        putBack();
        assertEquals("200000", get(FLUSH));
        assertFalse(Files.exists(run.resolve("killed")), "an interface that is gone needs nothing");
    }

    @Test
    void shouldKeepTheRecordOfAnotherNetworkNamespace() throws Exception
    {
        put(FLUSH, "200000\n");
        dead("killed", new InterfaceValue("net:[1]", "eth0", INDEX, FLUSH, "0", "200000"));

        putBack();

        assertEquals("200000", get(FLUSH));
        final ChangeRecord kept = own("killed");
        assertEquals("net:[1]", kept.values().get(0).namespace());
    }

    @Test
    void shouldSayWhichRecordItCannotReadAndGoOn() throws Exception
    {
        put(FLUSH, "200000\n");
        Files.createDirectories(run.resolve("broken"));
        Files.writeString(run.resolve("broken").resolve("1.changes"), "fibnuma-changes-1\tx\n");
        dead("killed", value(INDEX, FLUSH, "0", "200000"));

        putBack();

        assertEquals("0", get(FLUSH));
        assertTrue(
            lines.stream().anyMatch(line -> line.contains("broken/1.changes") && line.endsWith("remove the file")),
            lines::toString);
    }

    @Test
    void shouldRefuseAPathInARecord() throws Exception
    {
        assertThrows(IllegalArgumentException.class, () -> InterfaceValue.parse("n\t../eth0\t7\tmtu\t1\t2"));
        assertThrows(IllegalArgumentException.class, () -> InterfaceValue.parse("n\t..\t7\tmtu\t1\t2"));
        assertThrows(IllegalArgumentException.class, () -> InterfaceValue.parse("n\teth0\t7\t../../x\t1\t2"));
        assertThrows(IllegalArgumentException.class, () -> InterfaceValue.parse("n\teth0\tx\tmtu\t1\t2"));
    }

    @Test
    void shouldChangeNothingWhereTheInterfaceIsNotInSight() throws IOException
    {
        try (HostChanges changes = HostChanges.open(run.resolve("r"), interfaces))
        {
            assertNull(changes.expect("eth0", INDEX + 1, FLUSH, "1"));
            assertNull(changes.expect("eth1", INDEX, FLUSH, "1"));
        }
    }

    @Test
    void shouldSayInOneLineThatItCannotWrite() throws IOException
    {
        Files.writeString(run.resolve("file"), "");
        final UncheckedIOException refusal =
            assertThrows(UncheckedIOException.class, () -> HostChanges.open(run.resolve("file"), interfaces));
        assertTrue(refusal.getMessage().startsWith("cannot write in " + run.resolve("file")), refusal.getMessage());
    }

    private void putBack() throws IOException
    {
        new KilledProcesses(run, interfaces, lines::add).putBack(names::add);
    }

    private InterfaceValue value(final int index, final String file, final String before, final String after)
        throws IOException
    {
        return new InterfaceValue(InterfaceValue.currentNamespace(), "eth0", index, file, before, after);
    }

    private void dead(final String name, final InterfaceValue... values) throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder("true").start();
        process.waitFor();
        final ProcessIdentity owner =
            new ProcessIdentity(ProcessIdentity.own().namespace(), process.pid(), ProcessIdentity.own().start());
        Files.createDirectories(run.resolve(name));
        new ChangeRecord(owner, List.of(values)).write(run.resolve(name).resolve(process.pid() + ".changes"));
    }

    private ChangeRecord own() throws IOException
    {
        return own("r");
    }

    private ChangeRecord own(final String name) throws IOException
    {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(run.resolve(name)))
        {
            final List<Path> all = new ArrayList<>();
            files.forEach(all::add);
            assertEquals(1, all.size(), all::toString);
            return ChangeRecord.read(all.get(0));
        }
    }

    private void put(final String file, final String value) throws IOException
    {
        Files.writeString(interfaces.resolve("eth0").resolve(file), value);
    }

    private String get(final String file) throws IOException
    {
        return Files.readString(interfaces.resolve("eth0").resolve(file)).strip();
    }
}
