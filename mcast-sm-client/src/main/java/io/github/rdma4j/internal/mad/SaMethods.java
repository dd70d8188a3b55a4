// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mad;

import java.util.Map;

/** What a MAD of subnet administration asks for. The answer has the same code with {@link #RESPONSE}. */
public final class SaMethods {
    public static final int GET = 0x01;
    public static final int SET = 0x02;
    public static final int REPORT = 0x06;
    public static final int GET_TABLE = 0x12;
    public static final int DELETE = 0x15;

    /** The bit of an answer. */
    public static final int RESPONSE = 0x80;

    /** The answer to {@link #SET} is that to {@link #GET}. */
    public static final int GET_RESP = GET | RESPONSE;

    public static final int GET_TABLE_RESP = GET_TABLE | RESPONSE;
    public static final int DELETE_RESP = DELETE | RESPONSE;
    public static final int REPORT_RESP = REPORT | RESPONSE;

    private static final Map<Integer, String> NAMES = Map.of(
            GET,
            "Get",
            SET,
            "Set",
            REPORT,
            "Report",
            GET_TABLE,
            "GetTable",
            DELETE,
            "Delete",
            GET_RESP,
            "GetResp",
            GET_TABLE_RESP,
            "GetTableResp",
            DELETE_RESP,
            "DeleteResp",
            REPORT_RESP,
            "ReportResp");

    private SaMethods() {}

    /** The answer's code for that of a request. */
    public static int responseTo(int method) {
        return method == SET ? GET_RESP : method | RESPONSE;
    }

    /** For example {@code GetTable}. */
    public static String name(int method) {
        return NAMES.getOrDefault(method, "method 0x" + Integer.toHexString(method));
    }
}
