package org.fibnuma.core.service.log;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.service.config.ConfigKey;
import org.fibnuma.core.service.config.ConfigProblems;
import org.fibnuma.core.service.config.ConfigTable;
import org.fibnuma.core.service.config.TomlFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class LogLevelTest
{
    private final Logger root = (Logger)LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final ListAppender<ILoggingEvent> written = new ListAppender<>();

    @BeforeEach
    void listen()
    {
        written.start();
        root.addAppender(written);
    }

    @AfterEach
    void restore()
    {
        root.detachAppender(written);
        LogLevel.DEFAULT.apply();
    }

    @ParameterizedTest
    @CsvSource({
        "ERROR, error, error", "WARN, error warn, error warn", "INFO, error warn info, error warn",
        "DEBUG, error warn info debug, error warn"})
    void shouldWriteNoLinesBelowTheLevel(final LogLevel level, final String own, final String ofLibraries)
    {
        level.apply();
        assertEquals(own, linesOf("org.fibnuma.core.service.log.Some"));
        assertEquals(ofLibraries, linesOf("io.netty.Some"));
    }

    /** The level of a process that reads no configuration. */
    @Test
    void shouldBeginWithTheDefault()
    {
        assertEquals("error warn info", linesOf("org.fibnuma.core.service.log.Some"));
        assertEquals("error warn", linesOf("io.netty.Some"));
    }

    private String linesOf(final String name)
    {
        written.list.clear();
        final Logger logger = (Logger)LoggerFactory.getLogger(name);
        logger.error("error");
        logger.warn("warn");
        logger.info("info");
        logger.debug("debug");
        return String.join(" ", written.list.stream().map(ILoggingEvent::getMessage).toList());
    }

    @Test
    void shouldReadTheKeyOfATable() throws ConfigException
    {
        assertEquals(LogLevel.INFO, read("", LogLevel.DEBUG));
        for (final LogLevel level : LogLevel.values())
        {
            assertEquals(level, read("log-level = \"" + level.key() + "\"", LogLevel.DEBUG));
        }
    }

    @Test
    void shouldRefuseALevelThatTheProcessDoesNotHave()
    {
        assertEquals(List.of("r.toml:1: log-level: \"debug\" is not known; one of error, warn, info"),
            assertThrows(ConfigException.class, () -> read("log-level = \"debug\"", LogLevel.INFO)).problems());
        assertEquals(List.of("r.toml:1: log-level: \"INFO\" is not known; one of error, warn, info, debug"),
            assertThrows(ConfigException.class, () -> read("log-level = \"INFO\"", LogLevel.DEBUG)).problems());
    }

    private static LogLevel read(final String text, final LogLevel finest) throws ConfigException
    {
        final ConfigProblems problems = new ConfigProblems(Path.of("r.toml"));
        final ConfigTable keys = new ConfigTable();
        final ConfigKey<LogLevel> key = LogLevel.declare(keys, finest);
        final LogLevel level = TomlFile.parse(text, problems, keys).get(key);
        problems.throwIfAny();
        return level;
    }
}
