package org.fibnuma.core.service.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import org.fibnuma.core.service.config.ConfigKey;
import org.fibnuma.core.service.config.ConfigTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Locale;

/** The level below which a process writes no log lines, by its name in a configuration. */
public enum LogLevel
{
    /** Errors only. */
    ERROR(Level.ERROR, Level.ERROR),
    /** Warnings too. */
    WARN(Level.WARN, Level.WARN),
    /** What changes too, such as links and ports. */
    INFO(Level.INFO, Level.WARN),
    /** Everything. */
    DEBUG(Level.DEBUG, Level.WARN);

    /** Level without the key, and the one until a configuration is read. */
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
     * Declares the key of the level.
     *
     * @param table  of the process, such as {@code [router]}.
     * @param finest the last level that has lines in this process; the ones after it are not known.
     * @return the key, whose default is {@link #DEFAULT}.
     */
    public static ConfigKey<LogLevel> declare(final ConfigTable table, final LogLevel finest)
    {
        return table.oneOf("log-level", List.of(values()).subList(0, finest.ordinal() + 1), DEFAULT)
            .reload("The log has no lines below this level.");
    }

    /** Makes this the level of the whole process, from the next line on; any thread. */
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
