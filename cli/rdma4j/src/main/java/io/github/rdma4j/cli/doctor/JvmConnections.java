// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.cli.run.Field;
import io.github.rdma4j.rsocket.management.ConnectionsMXBean;
import io.github.rdma4j.rsocket.management.ConnectionsMXBean.Connection;
import io.github.rdma4j.rsocket.management.ConnectionsMXBean.Listener;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a JVM says of its connections and listeners, by the names of JSON.
 *
 * @param jvm the process and its main class
 * @param totals the counts since its start
 * @param connections the connections that were asked for
 * @param listeners the listeners that were asked for
 */
record JvmConnections(
        String jvm,
        Map<String, Object> totals,
        List<Map<String, Object>> connections,
        List<Map<String, Object>> listeners) {
    static JvmConnections of(String jvm, ConnectionsMXBean bean) {
        Map<String, Object> totals = Field.map(List.of(
                Field.of("opened_over_rdma", bean.getOpenedOverRdma()),
                Field.of("opened_over_tcp", bean.getOpenedOverTcp()),
                Field.of("closed_over_rdma", bean.getClosedOverRdma()),
                Field.of("closed_over_tcp", bean.getClosedOverTcp()),
                Field.of("bytes_read", bean.getBytesRead()),
                Field.of("bytes_written", bean.getBytesWritten()),
                Field.of("credit_stalls", bean.getCreditStalls()),
                Field.of("tcp_reasons", new TreeMap<>(bean.getTcpReasons()))));
        return new JvmConnections(
                jvm,
                totals,
                bean.getConnections().stream().map(JvmConnections::fields).toList(),
                bean.getListeners().stream().map(JvmConnections::fields).toList());
    }

    private static Map<String, Object> fields(Connection connection) {
        return Field.map(List.of(
                Field.of("transport", connection.getTransport()),
                Field.of("wire", connection.getWire()),
                Field.of("device", connection.getDevice()),
                Field.of("local", connection.getLocal()),
                Field.of("peer", connection.getPeer()),
                Field.of("age_ms", connection.getAgeMillis()),
                Field.of("bytes_read", connection.getBytesRead()),
                Field.of("bytes_written", connection.getBytesWritten()),
                Field.of("credit_stalls", connection.getCreditStalls()),
                Field.of("state", connection.getState()),
                Field.of("reason", connection.getReason()),
                Field.of("details", connection.getDetails())));
    }

    private static Map<String, Object> fields(Listener listener) {
        return Field.map(List.of(
                Field.of("transport", listener.getTransport()),
                Field.of("local", listener.getLocal()),
                Field.of("backlog", listener.getBacklog()),
                Field.of("accepted", listener.getAccepted()),
                Field.of("reason", listener.getReason())));
    }

    /** Only the connections with a port on either side, and the listeners at it. */
    JvmConnections through(int port) {
        String end = ":" + port;
        return new JvmConnections(
                jvm,
                totals,
                connections.stream()
                        .filter(each -> text(each, "local").endsWith(end)
                                || text(each, "peer").endsWith(end))
                        .toList(),
                listeners.stream()
                        .filter(each -> text(each, "local").endsWith(end))
                        .toList());
    }

    boolean isEmpty() {
        return connections.isEmpty() && listeners.isEmpty();
    }

    static String text(Map<String, Object> fields, String name) {
        return String.valueOf(fields.get(name));
    }
}
