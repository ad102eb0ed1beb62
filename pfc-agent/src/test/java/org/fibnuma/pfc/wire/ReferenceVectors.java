package org.fibnuma.pfc.wire;

import org.fibnuma.core.Require;

import java.io.IOException;
import java.nio.file.Files;

/** The frames of the reference data next to the project. */
final class ReferenceVectors
{
    private ReferenceVectors()
    {
    }

    /** The bytes of a frame from its Ethernet header on. */
    static String hex(final String name) throws IOException
    {
        return Files.readAllLines(Require.sharedData("vectors/roce-pfc-vectors.txt")).stream()
            .filter(line -> line.startsWith(name + " |"))
            .map(line -> line.substring(line.lastIndexOf('|') + 1).strip())
            .findFirst().orElseThrow();
    }
}
