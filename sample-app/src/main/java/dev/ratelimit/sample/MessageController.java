package dev.ratelimit.sample;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * An endpoint without a limit of its own that uses a limited service.
 */
@RestController
class MessageController {

	private final SmsGateway gateway;

	MessageController(SmsGateway gateway) {
		this.gateway = gateway;
	}

	@PostMapping("/api/messages")
	@ResponseStatus(HttpStatus.ACCEPTED)
	public void send(@RequestParam String number, @RequestParam String text) {
		this.gateway.send(number, text);
	}

}
