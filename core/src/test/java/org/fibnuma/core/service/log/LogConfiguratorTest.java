package org.fibnuma.core.service.log;

import ch.qos.logback.classic.ClassicConstants;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator.ExecutionStatus;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LogConfiguratorTest
{
    private final LoggerContext loggers = new LoggerContext();

    @Test
    void shouldWriteToStandardErrorOnly()
    {
        assertEquals(ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY, new LogConfigurator().configure(loggers));

        final List<Appender<ILoggingEvent>> appenders = appenders();
        assertEquals(1, appenders.size());
        assertEquals("System.err", assertInstanceOf(ConsoleAppender.class, appenders.get(0)).getTarget());
        assertTrue(appenders.get(0).isStarted());
        assertFalse(loggers.getStatusManager().getCopyOfStatusListenerList().isEmpty());
    }

    @Test
    void shouldBeginWithTheLevelsOfTheDefault()
    {
        new LogConfigurator().configure(loggers);

        assertEquals(Level.INFO, loggers.getLogger("org.fibnuma.fibnic").getEffectiveLevel());
        assertEquals(Level.WARN, loggers.getLogger("io.netty").getEffectiveLevel());
    }

    @Test
    void shouldLeaveAFileThatTheUserNamesToLogback()
    {
        System.setProperty(ClassicConstants.CONFIG_FILE_PROPERTY, "own.xml");
        try
        {
            assertEquals(ExecutionStatus.INVOKE_NEXT_IF_ANY, new LogConfigurator().configure(loggers));
        }
        finally
        {
            System.clearProperty(ClassicConstants.CONFIG_FILE_PROPERTY);
        }

        assertEquals(List.of(), appenders());
    }

    private List<Appender<ILoggingEvent>> appenders()
    {
        final List<Appender<ILoggingEvent>> appenders = new ArrayList<>();
        loggers.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders().forEachRemaining(appenders::add);
        return appenders;
    }
}
