// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.bench.suite;

import java.io.StringWriter;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes a picture that needs nothing from outside; the JDK's writer escapes what must be escaped. */
final class SvgWriter {
    private final StringWriter text = new StringWriter();
    private final XMLStreamWriter xml;

    SvgWriter(int width, int height, String title, String style) throws XMLStreamException {
        xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
        xml.writeStartElement("svg");
        xml.writeDefaultNamespace("http://www.w3.org/2000/svg");
        xml.writeAttribute("viewBox", "0 0 " + width + " " + height);
        xml.writeAttribute("width", String.valueOf(width));
        xml.writeAttribute("height", String.valueOf(height));
        xml.writeAttribute("role", "img");
        xml.writeCharacters("\n");
        element("title", title);
        element("style", style);
    }

    private void element(String name, String content) throws XMLStreamException {
        xml.writeStartElement(name);
        xml.writeCharacters(content);
        xml.writeEndElement();
        xml.writeCharacters("\n");
    }

    void rectangle(String style, int x, int y, int width, int height) throws XMLStreamException {
        empty("rect", style);
        attribute("x", x);
        attribute("y", y);
        attribute("width", width);
        attribute("height", height);
    }

    void circle(String style, double x, double y, int radius) throws XMLStreamException {
        empty("circle", style);
        attribute("cx", x);
        attribute("cy", y);
        attribute("r", radius);
    }

    void line(String style, double x1, double y1, double x2, double y2) throws XMLStreamException {
        empty("line", style);
        attribute("x1", x1);
        attribute("y1", y1);
        attribute("x2", x2);
        attribute("y2", y2);
    }

    void text(String style, double x, double y, String content) throws XMLStreamException {
        xml.writeCharacters("\n");
        xml.writeStartElement("text");
        xml.writeAttribute("class", style);
        attribute("x", x);
        attribute("y", y);
        xml.writeCharacters(content);
        xml.writeEndElement();
    }

    private void empty(String name, String style) throws XMLStreamException {
        xml.writeCharacters("\n");
        xml.writeEmptyElement(name);
        xml.writeAttribute("class", style);
    }

    private void attribute(String name, double value) throws XMLStreamException {
        boolean whole = value == Math.rint(value);
        xml.writeAttribute(name, whole ? String.valueOf((long) value) : String.format(Locale.ROOT, "%.1f", value));
    }

    /** The whole picture. */
    String end() throws XMLStreamException {
        xml.writeCharacters("\n");
        xml.writeEndElement();
        xml.writeCharacters("\n");
        xml.close();
        return text.toString();
    }
}
