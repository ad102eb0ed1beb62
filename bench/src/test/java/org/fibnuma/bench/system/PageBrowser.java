package org.fibnuma.bench.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.Await;
import org.fibnuma.core.service.netns.Host;
import org.openqa.selenium.By;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Chromium in the network namespace of a host, and its driver outside of it, which passes commands by a pipe. It uses
 * Debian's programs and downloads nothing.
 */
final class PageBrowser implements AutoCloseable
{
    static final String CHROMIUM = "/usr/bin/chromium";
    static final String DRIVER = "/usr/bin/chromedriver";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PHONE_WIDTH = 640;
    private static final int[] DESKTOP = {1360, 900};
    private static final int[] PHONE = {360, 740};

    private final ChromeDriver driver;
    private final Set<String> requests = new TreeSet<>();

    PageBrowser(final Host host, final Path directory)
    {
        final LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        final ChromeOptions options = new ChromeOptions();
        options.setBinary(launcher(host, directory).toFile());
        options.addArguments(
            "--remote-debugging-pipe", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic",
            "--no-first-run", "--user-data-dir=" + directory.resolve("profile"));
        options.setCapability("goog:loggingPrefs", logs);
        driver = new ChromeDriver(new ChromeDriverService.Builder()
            .usingDriverExecutable(new File(DRIVER)).usingAnyFreePort().build(), options);
        size(DESKTOP[0], DESKTOP[1]);
    }

    /** The driver starts one program; this is Chromium in the host's namespace. */
    private static Path launcher(final Host host, final Path directory)
    {
        final String command = Stream.of(host.command(CHROMIUM))
            .map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        try
        {
            return Files.writeString(
                Files.createFile(directory.resolve("chromium"), PosixFilePermissions.asFileAttribute(
                PosixFilePermissions.fromString("rwx------"))), "#!/bin/sh\nexec " + command + " \"$@\"\n");
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    void open(final String url)
    {
        driver.get(url);
    }

    /** Returns the text of the first element that a selector of CSS or XPath finds; empty if it is not shown. */
    String text(final String selector)
    {
        return driver.findElement(by(selector)).getText();
    }

    /** Returns whether there is an element that a selector of CSS or XPath finds. */
    boolean has(final String selector)
    {
        return !driver.findElements(by(selector)).isEmpty();
    }

    private static By by(final String selector)
    {
        return selector.startsWith("//") ? By.xpath(selector) : By.cssSelector(selector);
    }

    void await(final String what, final BooleanSupplier condition)
    {
        Await.until(() -> what + "; the page says\n" + text("body"), () -> holds(condition));
    }

    void awaitLive()
    {
        await("live", () -> text("#status-text").equals("live") && !text("#uptime").isEmpty());
    }

    /** The first number of an element, which a selector of CSS or XPath finds; -1 for a dash. */
    double number(final String selector)
    {
        final String first = text(selector).split("\\s")[0].replace(",", "");
        return first.matches("[0-9.]+") ? Double.parseDouble(first) : -1;
    }

    /** Returns the number of elements that a selector of CSS finds. */
    long count(final String selector)
    {
        return (Long)run("return document.querySelectorAll(\"" + selector + "\").length");
    }

    /** Returns the shown total of drops for a reason. */
    long dropped(final String reason)
    {
        return droppedIn("#drops tr[data-reason='" + reason + "']:not([data-port])");
    }

    /** Returns the shown total of drops for a reason of frames that a port received. */
    long dropped(final String reason, final String port)
    {
        return droppedIn("#drops tr[data-reason='" + reason + "'][data-port='" + port + "']");
    }

    private long droppedIn(final String row)
    {
        final String selector = row + " td:last-child";
        return has(selector) ? Long.parseLong(text(selector).replace(",", "")) : 0;
    }

    /** Moves the pointer to the middle of the chart in an element; returns the values that it shows there. */
    String valuesAtPointer(final String selector)
    {
        run("const image = document.querySelector(\"" + selector + " svg\");" +
            "const box = image.getBoundingClientRect();" +
            "image.dispatchEvent(new PointerEvent('pointermove', {clientX: box.left + box.width / 2}));");
        return text(selector + " .readout");
    }

    /** Returns the drawn line of received packets. */
    String line()
    {
        return (String)run("return document.querySelector('#traffic-chart .line.rx').getAttribute('d')");
    }

    /** A row can be replaced between finding and reading it. */
    private static boolean holds(final BooleanSupplier condition)
    {
        try
        {
            return condition.getAsBoolean();
        }
        catch (final StaleElementReferenceException ignore)
        {
            return false;
        }
    }

    void search(final String address)
    {
        driver.findElement(By.id("address")).clear();
        driver.findElement(By.id("address")).sendKeys(address);
        driver.findElement(By.cssSelector("#search button")).click();
    }

    Object run(final String script)
    {
        return driver.executeScript(script);
    }

    /** Sets the width and height of the page in CSS pixels; a narrow one is that of a phone. */
    void size(final int width, final int height)
    {
        final boolean isPhone = width < PHONE_WIDTH;
        driver.executeCdpCommand("Emulation.setDeviceMetricsOverride", Map.of(
            "width", width, "height", height, "deviceScaleFactor", isPhone ? 2 : 1, "mobile", isPhone));
    }

    /** Chooses the scheme of colours, "light" or "dark". */
    void scheme(final String name)
    {
        driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of(
            "features", List.of(Map.of("name", "prefers-color-scheme", "value", name))));
    }

    /**
     * Writes images of the page on desktop and phone, light and dark, to be looked at; fails if something is wider than
     * the window.
     */
    void writeScreenshots(final String program) throws IOException
    {
        final Path images = Files.createDirectories(Path.of("target", "page"));
        for (final int[] size : List.of(PHONE, DESKTOP))
        {
            size(size[0], size[1]);
            for (final String scheme : List.of("dark", "light"))
            {
                scheme(scheme);
                final Path image = images.resolve(
                    program + "-" + (size == PHONE ? "phone-" : "desktop-") + scheme + ".png");
                screenshot(image);
                assertTrue(Files.size(image) > 10_000, image + " is empty");
                assertEquals((long)size[0], run("return innerWidth"), image::toString);
                // One script, because a scroll bar may come or go between two.
                assertEquals(0L, run("const page = document.documentElement;" +
                    "return Math.max(0, page.scrollWidth - page.clientWidth)"), image + ": wider than the window");
            }
        }
    }

    /** Writes an image of the whole page in PNG. */
    private void screenshot(final Path file) throws IOException
    {
        final Map<String, Object> clip = Map.of(
            "x", 0, "y", 0, "scale", 1, "width", driver.executeScript("return innerWidth"),
            "height", driver.executeScript("return document.documentElement.scrollHeight"));
        Files.write(file, Base64.getDecoder().decode((String)driver.executeCdpCommand(
            "Page.captureScreenshot", Map.of("captureBeyondViewport", true, "clip", clip)).get("data")));
    }

    /** Returns the addresses of all requests so far, without those of Chromium's own first page. */
    Set<String> requests()
    {
        for (final LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE))
        {
            final JsonNode message = parse(entry.getMessage()).path("message");
            final String method = message.path("method").asText();
            final JsonNode parameters = message.path("params");
            if (method.equals("Network.requestWillBeSent") &&
                !parameters.path("documentURL").asText().startsWith("chrome://"))
            {
                requests.add(parameters.path("request").path("url").asText());
            }
            else if (method.equals("Network.webSocketCreated"))
            {
                requests.add(parameters.path("url").asText());
            }
        }
        return requests;
    }

    private static JsonNode parse(final String json)
    {
        try
        {
            return JSON.readTree(json);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Returns the warnings and errors in the console since the call before, and forgets them. */
    List<String> newErrors()
    {
        final List<String> errors = new ArrayList<>();
        for (final LogEntry entry : driver.manage().logs().get(LogType.BROWSER))
        {
            if (entry.getLevel().intValue() >= Level.WARNING.intValue())
            {
                errors.add(entry.getMessage());
            }
        }
        return errors;
    }

    @Override
    public void close()
    {
        driver.quit();
    }
}
