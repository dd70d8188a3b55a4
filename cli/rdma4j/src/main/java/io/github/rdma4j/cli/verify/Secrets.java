// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.attr.GidEntry;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** The words that a report must not contain: names and addresses of the machine. */
final class Secrets {
    private static final int HEX = 16;
    private static final int GROUP = 4;

    private final Map<String, String> words = new LinkedHashMap<>();

    private Secrets() {}

    /** Returns an object that hides nothing. */
    static Secrets none() {
        return new Secrets();
    }

    /** Creates an object from words and their replacements. */
    static Secrets of(Map<String, String> words) {
        Secrets secrets = new Secrets();
        secrets.words.putAll(words);
        return secrets;
    }

    /** Hides the host name, the addresses, the GIDs and the GUIDs. */
    static Secrets of(Card card) {
        Secrets secrets = new Secrets();
        try (DeviceContext context = card.open()) {
            for (GidEntry entry : context.queryGids()) {
                if (!entry.gid().isZero()) {
                    secrets.add(entry.gid().toString(), "(GID)");
                    secrets.add(entry.gid().toAddress());
                }
            }
        } catch (RdmaException e) {
            secrets.add(card.gid().gid().toString(), "(GID)");
        }
        card.address().ifPresent(secrets::add);
        secrets.addGuid(card.attributes().nodeGuid());
        secrets.addGuid(card.attributes().sysImageGuid());
        try {
            secrets.add(InetAddress.getLocalHost().getHostName(), "(host)");
        } catch (UnknownHostException nameless) {
            // there is no name to hide
        }
        return secrets;
    }

    private void add(InetAddress address) {
        add(address.getHostAddress(), "(address)");
    }

    private void addGuid(long guid) {
        String hex = String.format(Locale.ROOT, "%0" + HEX + "x", guid);
        add(hex, "(GUID)");
        add(String.join(":", hex.split("(?<=\\G.{" + GROUP + "})", -1)).replaceAll(":$", ""), "(GUID)");
    }

    private void add(String word, String instead) {
        if (!word.isEmpty() && !word.equals("localhost")) {
            words.putIfAbsent(word, instead);
        }
    }

    /** Returns the text with the replacements. */
    String hide(String text) {
        String hidden = text;
        for (Map.Entry<String, String> word : words.entrySet()) {
            hidden = hidden.replaceAll("(?<![\\w.-])" + Pattern.quote(word.getKey()) + "(?![\\w-])", word.getValue());
        }
        return hidden;
    }
}
