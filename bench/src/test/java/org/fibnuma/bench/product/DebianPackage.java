package org.fibnuma.bench.product;

import org.fibnuma.core.Require;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The Debian package of the last build. */
public final class DebianPackage
{
    private DebianPackage()
    {
    }

    /** Returns the package's file, or ends the test with the reason why there is none. */
    public static Path find() throws IOException
    {
        final Path target = Require.projectDirectory().resolve("packaging/target");
        try (Stream<Path> files = Files.exists(target) ? Files.list(target) : Stream.empty())
        {
            final List<Path> packages =
                files.filter(file -> file.toString().endsWith(".deb")).collect(Collectors.toList());
            Require.that(packages.size() == 1, "needs the package: mvn package, in " + target + " is " + packages);
            return packages.get(0);
        }
    }
}
