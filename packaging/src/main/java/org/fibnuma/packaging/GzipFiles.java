package org.fibnuma.packaging;

import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipParameters;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;

/**
 * Compresses documents as Debian's policy 12.1 and 12.7 want them: gzip at its best, without name and time. Main class.
 */
public final class GzipFiles
{
    private GzipFiles()
    {
    }

    /**
     * Compresses files.
     *
     * @param arguments directory that {@code NAME.gz} of each file goes to, and files or directories of files.
     * @throws IOException where a file cannot be read or written.
     */
    public static void main(final String[] arguments) throws IOException
    {
        final Path directory = Files.createDirectories(Path.of(arguments[0]));
        final GzipParameters parameters = new GzipParameters();
        parameters.setCompressionLevel(Deflater.BEST_COMPRESSION);
        for (final Path file : files(List.of(arguments).subList(1, arguments.length)))
        {
            try (OutputStream out = new GzipCompressorOutputStream(
                Files.newOutputStream(directory.resolve(file.getFileName() + ".gz")), parameters))
            {
                Files.copy(file, out);
            }
        }
    }

    private static List<Path> files(final List<String> sources) throws IOException
    {
        final List<Path> files = new ArrayList<>();
        for (final String source : sources)
        {
            try (Stream<Path> below = Files.walk(Path.of(source)))
            {
                below.filter(Files::isRegularFile).forEach(files::add);
            }
        }
        return files;
    }
}
