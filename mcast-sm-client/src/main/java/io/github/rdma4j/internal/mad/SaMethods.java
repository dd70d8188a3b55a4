// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mad;

/** The methods of subnet administration. An answer has the code of its request with the bit {@link #RESPONSE}. */
public final class SaMethods {
    public static final int GET = 0x01;
    public static final int SET = 0x02;
    public static final int REPORT = 0x06;
    public static final int GET_TABLE = 0x12;
    public static final int DELETE = 0x15;

    /** The bit of an answer. */
    public static final int RESPONSE = 0x80;

    /** The answer to {@link #GET} and to {@link #SET}. */
    public static final int GET_RESP = GET | RESPONSE;

    public static final int GET_TABLE_RESP = GET_TABLE | RESPONSE;
    public static final int DELETE_RESP = DELETE | RESPONSE;
    public static final int REPORT_RESP = REPORT | RESPONSE;

    private SaMethods() {}

    /** The method of the answer to a request. */
    public static int responseTo(int method) {
        return method == SET ? GET_RESP : method | RESPONSE;
    }

    /** Returns the name, for example {@code GetTable}. */
    public static String name(int method) {
        return switch (method) {
            case GET -> "Get";
            case SET -> "Set";
            case REPORT -> "Report";
            case GET_TABLE -> "GetTable";
            case DELETE -> "Delete";
            case GET_RESP, GET_TABLE_RESP, DELETE_RESP, REPORT_RESP -> name(method & ~RESPONSE) + "Resp";
            default -> "method 0x" + Integer.toHexString(method);
        };
    }
}
