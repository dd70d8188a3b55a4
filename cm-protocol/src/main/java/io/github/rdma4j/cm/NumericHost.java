// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import java.util.regex.Pattern;

/** Distinguishes numeric addresses from host names. */
final class NumericHost {
    private static final String IPV6_DIGITS = "0123456789abcdefABCDEF:.";

    private static final String OCTET = "(25[0-5]|2[0-4]\\d|1?\\d?\\d)";
    private static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");

    private NumericHost() {}

    /** Returns true for an IPv4 address with four octets, or an IPv6 address with or without a scope. */
    static boolean isNumeric(String host) {
        if (host.indexOf(':') >= 0) {
            int scope = host.indexOf('%');
            String address = scope < 0 ? host : host.substring(0, scope);
            return address.chars().allMatch(c -> IPV6_DIGITS.indexOf(c) >= 0);
        }
        return IPV4.matcher(host).matches();
    }
}
