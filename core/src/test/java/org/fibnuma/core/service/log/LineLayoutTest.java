package org.fibnuma.core.service.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LineLayoutTest
{
    private final LoggerContext context = new LoggerContext();

    @ParameterizedTest
    @CsvSource({ "ERROR, 3", "WARN, 4", "INFO, 6", "DEBUG, 7" })
    void shouldBeginWithThePriorityForTheJournal(final String level, final int priority)
    {
        assertEquals("<" + priority + ">port left: carrier=up\n", line(true, level, "port left: carrier=up", null));
    }

    @Test
    void shouldMakeOneLineOfAnEventForTheJournal()
    {
        final String line = line(true, "ERROR", "first\nsecond", new IllegalStateException("third\nfourth"));
        assertTrue(line.startsWith("<3>first | second | java.lang.IllegalStateException: third | fourth | at "), line);
        assertEquals(line.length() - 1, line.indexOf('\n'), line);
    }

    @Test
    void shouldBeginWithTimeAndLevelOtherwise()
    {
        final String line = line(false, "INFO", "port left: carrier=up", null);
        assertTrue(line.matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{3} INFO  port left: carrier=up\n"), line);
        assertTrue(line(false, "ERROR", "first", new IllegalStateException("second"))
            .contains(" first\njava.lang.IllegalStateException: second\n\tat "));
    }

    @Test
    void shouldKnowTheStreamOfTheJournal(@TempDir final Path directory) throws IOException
    {
        final Path file = Files.createFile(directory.resolve("stream"));
        final String itself = Files.getAttribute(file, "unix:dev") + ":" + Files.getAttribute(file, "unix:ino");
        assertTrue(JournalStream.is(itself, file));
        assertFalse(JournalStream.is(itself + "1", file));
        assertFalse(JournalStream.is(null, file));
        assertFalse(JournalStream.is(itself, directory.resolve("none")));
    }

    @Test
    void shouldBeginEachLineOfAnErrorWithItsPriority()
    {
        final StringWriter written = new StringWriter();
        final PrintWriter errors = new PrintWriter(new JournalErrors(written), true);
        errors.println("edge.toml:2: unknown key");
        errors.print("usage:");
        errors.print(" router\n\n");
        errors.println('x');
        assertEquals("<3>edge.toml:2: unknown key\n<3>usage: router\n<3>\n<3>x\n", written.toString());
    }

    private String line(final boolean forJournal, final String level, final String message, final Throwable thrown)
    {
        final LineLayout layout = new LineLayout(forJournal);
        layout.setContext(context);
        layout.start();
        return layout.doLayout(new LoggingEvent(
            LineLayoutTest.class.getName(), context.getLogger("org.fibnuma"), Level.toLevel(level), message, thrown,
            new Object[0]));
    }
}
