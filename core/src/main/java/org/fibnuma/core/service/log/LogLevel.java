package org.fibnuma.core.service.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import org.fibnuma.core.service.config.ConfigKey;
import org.fibnuma.core.service.config.ConfigTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Locale;

/** Log level of a process, by its name in a configuration. Lines below it are not written. */
public enum LogLevel
{
    ERROR(Level.ERROR, Level.ERROR),
    /** Warnings too. */
    WARN(Level.WARN, Level.WARN),
    /** Changes too, such as of links and ports. */
    INFO(Level.INFO, Level.WARN),
    /** Everything. */
    DEBUG(Level.DEBUG, Level.WARN);

    /** Level if the key is missing, and until a configuration is read. */
    public static final LogLevel DEFAULT = INFO;

    private static final String OWN = "org.fibnuma";

    private final Level level;
    /** Libraries write warnings and errors at most. */
    private final Level ofLibraries;

    LogLevel(final Level level, final Level ofLibraries)
    {
        this.level = level;
        this.ofLibraries = ofLibraries;
    }

    /** Returns the name in a configuration. */
    public String key()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Declares the key of the level in the table of a process, such as {@code [router]}. The process has no lines
     * beyond the level {@code finest}, so that the key does not accept them.
     */
    public static ConfigKey<LogLevel> declare(final ConfigTable table, final LogLevel finest)
    {
        return table.oneOf("log-level", List.of(values()).subList(0, finest.ordinal() + 1), DEFAULT)
            .reload("The log has no lines below this level.");
    }

    /** Sets the level of the whole process, from the next line on; any thread. */
    public void apply()
    {
        apply((LoggerContext)LoggerFactory.getILoggerFactory());
    }

    void apply(final LoggerContext loggers)
    {
        loggers.getLogger(OWN).setLevel(level);
        loggers.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(ofLibraries);
    }
}
