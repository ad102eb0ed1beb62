package org.fibnuma.packaging;

import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipParameters;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;

/**
 * Compresses documents by gzip as Debian's policy 12.1 and 12.7 require: best compression, no name, no time. Main
 * class.
 */
public final class GzipFiles
{
    private GzipFiles()
    {
    }

    /**
     * Compresses files. The arguments are the directory for {@code NAME.gz} of each file, and files or directories of
     * files.
     *
     * @throws IOException if a file cannot be read or written.
     */
    public static void main(final String[] arguments) throws IOException
    {
        final Path directory = Files.createDirectories(Path.of(arguments[0]));
        final GzipParameters parameters = new GzipParameters();
        parameters.setCompressionLevel(Deflater.BEST_COMPRESSION);
        for (final String source : List.of(arguments).subList(1, arguments.length))
        {
            try (Stream<Path> below = Files.walk(Path.of(source)))
            {
                for (final Path file : below.filter(Files::isRegularFile).toList())
                {
                    compress(file, directory.resolve(file.getFileName() + ".gz"), parameters);
                }
            }
        }
    }

    private static void compress(final Path file, final Path compressed, final GzipParameters parameters)
        throws IOException
    {
        try (OutputStream out = new GzipCompressorOutputStream(Files.newOutputStream(compressed), parameters))
        {
            Files.copy(file, out);
        }
    }
}
