// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

/** Tells addresses from names, which must not be asked for. */
final class NumericHost {
    private static final String IPV6_DIGITS = "0123456789abcdefABCDEF:.";

    private NumericHost() {}

    /** An IPv4 address of four parts, or an IPv6 address with or without a scope. */
    static boolean isNumeric(String host) {
        if (host.indexOf(':') >= 0) {
            int scope = host.indexOf('%');
            String address = scope < 0 ? host : host.substring(0, scope);
            return address.chars().allMatch(c -> IPV6_DIGITS.indexOf(c) >= 0);
        }
        return host.matches("\\d{1,3}(\\.\\d{1,3}){3}");
    }
}
