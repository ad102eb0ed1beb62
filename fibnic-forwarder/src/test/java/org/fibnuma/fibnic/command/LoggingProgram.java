package org.fibnuma.fibnic.command;

import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.Collections;

/** Logs, and prints how many configurations of Logback in XML are on the class path. */
final class LoggingProgram
{
    private LoggingProgram()
    {
    }

    public static void main(final String[] arguments) throws IOException
    {
        LoggerFactory.getLogger(LoggingProgram.class).info("this is for standard error");
        System.out.println(Collections.list(
            LoggingProgram.class.getClassLoader().getResources("logback.xml")).size());
    }
}
