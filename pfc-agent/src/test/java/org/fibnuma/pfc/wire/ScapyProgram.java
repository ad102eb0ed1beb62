package org.fibnuma.pfc.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a few lines of Python with scapy, the independent builder and reader of frames. */
final class ScapyProgram
{
    private static final String IMPORTS =
        "from scapy.all import *\n" +
        "from scapy.contrib.mac_control import *\n";

    private ScapyProgram()
    {
    }

    /** The lines that the program prints. */
    static List<String> run(final String program) throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder("/usr/bin/python3", "-c", IMPORTS + program)
            .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0)
        {
            throw new AssertionError("scapy failed on:\n" + program);
        }
        return output.lines().toList();
    }
}
