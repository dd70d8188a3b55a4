// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics.behaviour;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What was observed on one kernel series: a text by key, kept as sorted lines of key, tab, text. */
final class Observations {
    private final TreeMap<String, String> byKey;

    private Observations(Map<String, String> byKey) {
        this.byKey = new TreeMap<>(byKey);
    }

    /** The recorded ones of a kernel series, removal of the device among them; none where nothing was recorded. */
    static Observations recorded(String series) {
        return resource(fileName(series, false)).with(resource(fileName(series, true)).byKey);
    }

    /** The file of a kernel series; removal of the device has one of its own. */
    static String fileName(String series, boolean removal) {
        return series + (removal ? "-removal" : "") + ".tsv";
    }

    private static Observations resource(String fileName) {
        try (InputStream in = Observations.class.getResourceAsStream("/semantics/behaviour/" + fileName)) {
            return in == null
                    ? new Observations(Map.of())
                    : parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Observations read(Path file) throws IOException {
        return Files.exists(file) ? parse(Files.readString(file)) : new Observations(Map.of());
    }

    static Observations parse(String lines) {
        Map<String, String> byKey = new TreeMap<>();
        for (String line : lines.lines().toList()) {
            List<String> fields = List.of(line.split("\t", 2));
            if (fields.size() == 2) {
                byKey.put(unpadded(fields.get(0)), fields.get(1));
            }
        }
        return new Observations(byKey);
    }

    /** These with those of {@code newer} instead of, and beside, them. */
    Observations with(Map<String, String> newer) {
        Map<String, String> all = new TreeMap<>(byKey);
        all.putAll(newer);
        return new Observations(all);
    }

    Optional<String> of(String key) {
        return Optional.ofNullable(byKey.get(key));
    }

    /** Sorted by list and number. */
    String text() {
        TreeMap<String, String> sorted = new TreeMap<>();
        byKey.forEach((key, text) -> sorted.put(padded(key), text));
        StringBuilder lines = new StringBuilder();
        sorted.forEach(
                (key, text) -> lines.append(key).append('\t').append(text).append('\n'));
        return lines.toString();
    }

    private static String padded(String key) {
        return key.charAt(0) + "0".repeat(4 - key.length()) + key.substring(1);
    }

    private static String unpadded(String key) {
        return key.charAt(0) + key.substring(1).replaceFirst("^0+", "");
    }
}
