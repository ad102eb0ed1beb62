package org.fibnuma.ipnuma.naming.socket;

import org.fibnuma.ipnuma.naming.CertificateFiles;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A self-signed certificate that is its own CA, from the JDK's keytool, as PEM files. */
public final class TestCertificate
{
    private static final String PASSWORD = "changeit";

    private TestCertificate()
    {
    }

    public static CertificateFiles create(final Path directory, final String name, final String subjectAlternativeNames)
        throws Exception
    {
        final Path store = directory.resolve(name + ".p12");
        final Process keytool = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias", name,
            "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=" + name, "-validity", "30",
            "-ext", "san=" + subjectAlternativeNames, "-storetype", "PKCS12", "-keystore", store.toString(),
            "-storepass", PASSWORD).redirectErrorStream(true).start();
        final String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertEquals(0, keytool.waitFor(), output);
        final KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream input = Files.newInputStream(store))
        {
            keys.load(input, PASSWORD.toCharArray());
        }
        return new CertificateFiles(
            pem(directory.resolve(name + ".pem"), "CERTIFICATE", keys.getCertificate(name).getEncoded()),
            pem(directory.resolve(name + ".key"), "PRIVATE KEY",
                keys.getKey(name, PASSWORD.toCharArray()).getEncoded()));
    }

    private static Path pem(final Path file, final String type, final byte[] bytes) throws Exception
    {
        return Files.writeString(file, "-----BEGIN " + type + "-----\n" +
            Base64.getMimeEncoder(64, new byte[]{'\n'}).encodeToString(bytes) + "\n-----END " + type + "-----\n");
    }
}
