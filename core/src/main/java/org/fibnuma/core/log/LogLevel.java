package org.fibnuma.core.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import org.fibnuma.core.config.TomlSection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Arrays;
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

    /** Key in the table of the process, such as {@code [router]}. */
    public static final String KEY = "log-level";
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
     * Reads the key of a table; a wrong value becomes a problem of the file.
     *
     * @param table  of the process.
     * @param finest the last level that has lines in this process; the ones after it are not known.
     * @return {@link #DEFAULT} if the key is missing or wrong.
     */
    public static LogLevel read(final TomlSection table, final LogLevel finest)
    {
        final List<String> keys =
            Arrays.stream(values()).filter(each -> each.compareTo(finest) <= 0).map(LogLevel::key).toList();
        return valueOf(table.oneOf(KEY, keys, DEFAULT.key()).toUpperCase(Locale.ROOT));
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
