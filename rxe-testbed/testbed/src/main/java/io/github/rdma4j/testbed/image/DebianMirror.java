// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.TestbedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The Debian archive in the configuration of this machine's apt, with its key. Kernels of all suites come from this
 * archive, so the project names no host.
 *
 * @param uri the archive's address, as in the configuration
 * @param signedBy path of a keyring or an embedded key; empty if apt's global keyrings apply
 * @param past whether this is a past state of the archive, whose indexes have expired
 */
public record DebianMirror(String uri, String signedBy, boolean past) {
    // Other archives have suites of these names too, but not with the component main.
    private static final Set<String> SUITES = Set.of(
            "oldoldstable",
            "oldstable",
            "stable",
            "testing",
            "unstable",
            "bullseye",
            "bookworm",
            "trixie",
            "forky",
            "sid");

    private static final Pattern UNREACHABLE = Pattern.compile(
            "Temporary failure resolving|Could not resolve|Could not connect|Cannot initiate the connection"
                    + "|Unable to connect|Network is unreachable|Connection timed out|Connection refused");

    private static final Pattern ONE_LINE = Pattern.compile("deb\\s+(?:\\[([^\\]]*)\\]\\s+)?(\\S+)\\s+(\\S+)\\s+(.*)");

    DebianMirror(String uri, String signedBy) {
        this(uri, signedBy, false);
    }

    /** Reads {@code /etc/apt}; {@code RDMA4J_DEBIAN_MIRROR} (and {@code _KEYRING}) take precedence. */
    public static DebianMirror ofThisMachine(Map<String, String> environment) throws TestbedException {
        String uri = environment.get("RDMA4J_DEBIAN_MIRROR");
        if (uri != null && !uri.isEmpty()) {
            return new DebianMirror(uri, environment.getOrDefault("RDMA4J_DEBIAN_KEYRING", ""));
        }
        return in(Path.of("/etc/apt"))
                .orElseThrow(() -> new TestbedException("no Debian archive among the apt sources of this machine;"
                        + " name one in RDMA4J_DEBIAN_MIRROR and its keyring in RDMA4J_DEBIAN_KEYRING"));
    }

    static Optional<DebianMirror> in(Path aptDirectory) throws TestbedException {
        try {
            for (Path file : sourceFiles(aptDirectory)) {
                String text = Files.readString(file);
                Optional<DebianMirror> mirror =
                        file.toString().endsWith(".sources") ? fromDeb822(text) : fromOneLineStyle(text);
                if (mirror.isPresent()) {
                    return mirror;
                }
            }
            return Optional.empty();
        } catch (IOException | UncheckedIOException e) {
            throw new TestbedException("cannot read the apt sources of this machine: " + e.getMessage(), e);
        }
    }

    private static List<Path> sourceFiles(Path aptDirectory) throws IOException {
        List<Path> files = new ArrayList<>();
        if (Files.isReadable(aptDirectory.resolve("sources.list"))) {
            files.add(aptDirectory.resolve("sources.list"));
        }
        Path parts = aptDirectory.resolve("sources.list.d");
        if (Files.isDirectory(parts)) {
            try (Stream<Path> listing = Files.list(parts)) {
                listing.filter(path -> path.toString().endsWith(".sources")
                                || path.toString().endsWith(".list"))
                        .filter(Files::isReadable)
                        .sorted()
                        .forEach(files::add);
            }
        }
        return files;
    }

    /** Stanzas of {@code Key: value}, with indented continuation lines. */
    static Optional<DebianMirror> fromDeb822(String text) {
        for (String stanza : text.replaceAll("(?m)^#.*\n?", "").split("\n[ \t]*\n", -1)) {
            Map<String, String> fields = fields(stanza);
            boolean enabled = !fields.getOrDefault("enabled", "yes")
                    .toLowerCase(Locale.ROOT)
                    .equals("no");
            if (enabled
                    && words(fields, "types").contains("deb")
                    && words(fields, "components").contains("main")) {
                List<String> uris = words(fields, "uris");
                if (!uris.isEmpty() && hasDebianSuite(words(fields, "suites"))) {
                    return Optional.of(new DebianMirror(uris.get(0), fields.getOrDefault("signed-by", "")));
                }
            }
        }
        return Optional.empty();
    }

    private static Map<String, String> fields(String stanza) {
        Map<String, String> fields = new TreeMap<>();
        String key = "";
        for (String line : stanza.split("\n", -1)) {
            int colon = line.indexOf(':');
            if (line.startsWith(" ") || line.startsWith("\t")) {
                fields.merge(key, line, (value, more) -> value + "\n" + more);
            } else if (colon > 0) {
                key = line.substring(0, colon).toLowerCase(Locale.ROOT);
                fields.put(key, line.substring(colon + 1).strip());
            }
        }
        return fields;
    }

    private static List<String> words(Map<String, String> fields, String key) {
        return List.of(fields.getOrDefault(key, "").strip().split("\\s+"));
    }

    /** Lines of {@code deb [options] uri suite component...}. */
    static Optional<DebianMirror> fromOneLineStyle(String text) {
        for (String line : text.split("\n", -1)) {
            Matcher matcher = ONE_LINE.matcher(line.replaceAll("#.*", "").strip());
            if (matcher.matches()
                    && hasDebianSuite(List.of(matcher.group(3)))
                    && List.of(matcher.group(4).split("\\s+")).contains("main")) {
                String options = matcher.group(1) == null ? "" : matcher.group(1);
                Matcher key = Pattern.compile("(?i)signed-by=(\\S+)").matcher(options);
                return Optional.of(new DebianMirror(matcher.group(2), key.find() ? key.group(1) : ""));
            }
        }
        return Optional.empty();
    }

    /** Whether the output of apt says that no network leads to this archive. */
    boolean isOutOfReach(String aptOutput) {
        return UNREACHABLE.matcher(aptOutput).find();
    }

    private static boolean hasDebianSuite(List<String> suites) {
        return suites.stream().anyMatch(SUITES::contains);
    }

    /**
     * The archive at a time in the past, if {@code RDMA4J_DEBIAN_SNAPSHOT} names an archive of snapshots.
     *
     * @param time such as {@code 20261122T000000Z}
     */
    Optional<DebianMirror> at(String time, Map<String, String> environment) {
        return Optional.ofNullable(environment.get("RDMA4J_DEBIAN_SNAPSHOT"))
                .filter(address -> !address.isEmpty())
                .map(address -> new DebianMirror(address + "/" + time, signedBy, true));
    }

    /** An apt source of one suite, in deb822 form. Security updates lie beside the archive, at Debian and its mirrors. */
    public String source(String suite) {
        String key = signedBy.isEmpty() ? "" : "Signed-By: " + signedBy + "\n";
        String address = suite.endsWith("-security") ? uri.replaceFirst("/debian(?=/|$)", "/debian-security") : uri;
        return "Types: deb\nURIs: " + address + "\nSuites: " + suite + "\nComponents: main\n" + key
                + (past ? "Check-Valid-Until: no\n" : "");
    }
}
