// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import java.io.IOException;
import java.net.UnknownServiceException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The ports of services by name, from {@code /etc/services} ({@code services(5)}). */
final class ServicePorts {
    private static final Path SERVICES = Path.of("/etc/services");
    private static final int MAX_PORT = 0xffff;

    private ServicePorts() {}

    /** Returns the port of {@code service}, a number or a name in the protocol {@code tcp} or {@code udp}. */
    static int find(String service, String protocol) throws IOException {
        return isNumber(service) ? number(service) : find(lines(SERVICES), service, protocol);
    }

    /** Reads the lines of a file in any encoding: service names are ASCII, comments need not be. */
    static List<String> lines(Path file) throws IOException {
        return Files.isReadable(file) ? Files.readAllLines(file, StandardCharsets.ISO_8859_1) : List.of();
    }

    static int find(List<String> lines, String service, String protocol) throws UnknownServiceException {
        for (String line : lines) {
            int comment = line.indexOf('#');
            String[] words =
                    (comment < 0 ? line : line.substring(0, comment)).trim().split("\\s+");
            if (words.length < 2 || !words[1].endsWith("/" + protocol)) {
                continue;
            }
            boolean named = words[0].equals(service)
                    || Arrays.asList(words).subList(2, words.length).contains(service);
            String port = words[1].substring(0, words[1].indexOf('/'));
            if (named && isNumber(port)) {
                return number(port);
            }
        }
        throw new UnknownServiceException("no " + protocol + " service named " + service + " in " + SERVICES);
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static int number(String digits) {
        if (digits.length() > 5 || Integer.parseInt(digits) > MAX_PORT) {
            throw new IllegalArgumentException("port " + digits + " is out of range: it must be from 0 to " + MAX_PORT);
        }
        return Integer.parseInt(digits);
    }
}
